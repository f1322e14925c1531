<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>First start: the search is being compiled in the background. Until then, first answers on large tables take up to a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last start did not finish, so the window is where it was at first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Espalier ended unexpectedly: open the autosaved copy of “{name}” from {time}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong — Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong, and Espalier stopped what it was doing. Your table and your tree are as they were before; you can go on. The report below is also in the log, {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings cannot be read, so all of them are reset: {problem}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting “{name}” was damaged; it is reset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The setting “{name}” was “{value}”, which cannot be used; it is reset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected node is split already: select a leaf.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected node is a leaf: select one that is split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is folded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All levels are shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only one level is shown below the root.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no leaf beside this one to merge it with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No branch was copied: select a node that is split, and copy it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No rows are kept for validation: “Partition…” divides the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No rows are kept for a last test: “Partition…” divides the rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree has no split yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target is numeric: what leaves predict is no choice among a few classes, so the tree has no code.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No column is a feature: give one that role in the panel “Columns”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No condition leads to the root: select another node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied, for DataFrame.query: {query}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training rows flow through the tree: ribbons, bars and figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation rows flow through the tree: ribbons, bars and figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV, TSV, Excel, OpenDocument, Parquet or Feather, or press to choose one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a data file here, or press to choose one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Release to open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a file here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Example {title}, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no longer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open {name} again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}, no longer there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables and trees that you open will be listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} rows × {columns} columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mark of Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow a decision tree by hand, and let the data answer at every split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a table, a project or a tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste or type a table…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens a table from the clipboard or from the keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saves table, tree and settings as a project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saves the project under another name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export pic&amp;ture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the tree, a branch or what the view shows as PNG, SVG or PDF, or as a page for browsers that zooms and folds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;JSON…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the tree as JSON, for other tables and programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export r&amp;ules…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the tree as text: the rules of each class or number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growing takes the best split at each node and never comes back. In a small table all trees of a depth can be searched for the one of least training error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching all trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth of the trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of the search is done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Take this tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best of all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The grown tree and the best of all trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the trees…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That is too long: choose a smaller depth, or exclude columns of many different values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search went wrong; the log has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best of all trees, depth {depth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tests} at a node: {trees} trees of depth {depth} or less. Searching them takes {time}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} different tests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n} years</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n} days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n} hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n} minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>up to {n} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: this is the best tree so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growing misses nothing at this depth: it errs as little on the training rows, but needs {leaves} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growing misses nothing at this depth: it errs as little on the training rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Growing misses a tree that errs less on the training rows: {best} instead of {grown}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the validation rows it errs more: it has learned what is chance in the training rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the validation rows it errs less, too.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the validation rows both err alike.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the document and shows the start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quits Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undoes the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redoes the last undone step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the whole tree as a picture on the clipboard, looking as the one that was exported last, with what stands out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimap of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole tree; the frame is what is in view. Drag it, or click where you want to look. With keys: Ctrl and arrows, Page Up and Page Down (hide it: O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hide the minimap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole tree as an icicle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree at 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Zoom to the selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the selected node with all below it as large as fits; the whole tree where it is the root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree larger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree smaller</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fi&amp;nd…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rings the nodes that a column, a level, words of a rule or a number like #12 mean; Enter walks through them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter leaves b&amp;y…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fades what does not lead to a leaf of so many rows, as sure as is asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Best leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists and rings the five leaves where a class is most frequent, or a number highest or lowest, as sure as one can be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next co&amp;lours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours the canvas by the next of “Colour by”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Validation rows flow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets the validation rows flow through the tree instead of the training rows: ribbons, bars and figures are theirs, and nodes where the two disagree stand out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;urn the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree from left to right, in streams as wide as their rows, or from top to bottom, in cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Icicl&amp;e</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole tree in a strip below the canvas: cells as wide as their rows, and a frame around what is in view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fol&amp;d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hides everything below the selected node, or shows it again; the tree stays as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unfold all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole tree again, whatever was folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One level &amp;more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows one level more of the tree, and folds what is below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One level &amp;fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows one level fewer of the tree, and folds what is below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold &amp;branches below n rows…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hides what is below nodes with fewer rows than a number that is asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Minimap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the whole tree in a corner of the canvas while only a part of it is in view: drag the frame, or click where you want to look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoot&amp;h motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moves the view smoothly to where it is sent; it never does where the system asks for less motion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fills the screen with the tree, or with the panel that has the whole middle, in large letters; Esc ends it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts all panels back to their first places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Split best anywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits the leaf whose best split gains most of all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split this &amp;leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits the selected leaf by its best split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow one le&amp;vel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits every leaf once, each by its best split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow &amp;branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows everything below the selected node, as far as the options allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows on while validation rows gain by it: until as many splits in a row do not help as the best tree has leaves, at least ten, then back to it; without validation rows the whole tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow th&amp;e whole tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows the whole tree, as far as the options allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gr&amp;ow…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows the tree, a branch, one level or one split, by options that are chosen first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search sett&amp;ings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows how splits are searched, when growing stops and what leaves predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;All trees…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searches all trees of a depth for the one of least training error, and compares it with the grown one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prefi&amp;x code…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes the tree in the prefix-free code of description length, block by block, and reads bits back into a tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Prune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cuts the tree back to what holds on unseen rows: by validation rows where there are any, else by cost complexity and cross-validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune the wea&amp;kest split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Removes the split that gains least among those with only leaves below; pinned and locked splits stay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes a leaf of the selected node: all below it goes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;ut by clicks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A click on a node makes it a leaf, another one brings back what stood below it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split by &amp;column…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits the selected node by the best split of a column that is chosen; a column can also be dragged onto a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Replace the split…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the split in the editor, or the candidate that is looked at, in the place of the selected node’s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wh&amp;y this split?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the arithmetic of the split that is looked at: the sum behind its gain, its figure, and the rankings by every criterion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes one branch of the selected leaf and a leaf beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the splits at and below the selected node, for this window and others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste branch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Makes the copied splits below the selected leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Note…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writes a note on the selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set leaf la&amp;bel…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets by hand what the selected leaf predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic growing and pruning leave a pinned node alone; by hand it can be changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing changes at or below a locked node, neither by hand nor automatically</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;xclude columns below…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses columns that no search uses at and below the selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Criterion here…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses by what the selected node and those below it are searched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;ock columns…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses columns that no search may use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Follow a row…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights the way of one row, with the values that it has at each split: type its number, or pick it from the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow rows &amp;where…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights the flow of the rows for which a condition holds, as in age &gt; 40 and city == &quot;Berlin&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the rows he&amp;re</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights the flow of the rows of the selected nodes; they stay the same when the tree changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Follow the &amp;errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lights the flow of the rows that the tree labels wrongly; of numbers the tenth that is furthest from what it says; test rows only once they were looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the pat&amp;h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the conditions that lead to the selected nodes, in words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the path as a &amp;query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the way to the selected nodes as an expression for DataFrame.query of pandas, which selects exactly their rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops the work and keeps the valid tree so far; or ends following rows, several selected nodes, or cutting by clicks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the columns: their roles, their types, what they hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Partition…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divides the rows into training, validation and test rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the &amp;test rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the error on the test rows: look last, and choose nothing by it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click on anything to learn what it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists all keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version, licence, and what this is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the file that records messages and errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by that of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The best split of the column is made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gain {gain}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge {node} with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to “{name}”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are lost otherwise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pruning takes away 1 split that was made by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pruning takes away {n} splits that were made by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can change the answer later: Keep hand-made splits, in the Pruning panel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep hand-made splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Prune hand-made splits too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree of {leaves} predicts “{target}” as categories. It is discarded, and a new tree starts as a single leaf. Undo brings it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree of {leaves} predicts “{target}” as a number. It is discarded, and a new tree starts as a single leaf. Undo brings it back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Start a new tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep: the splits below stay wherever they still divide the rows that reach them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regrow: the new branches grow by the search options.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop: the new branches are leaves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{split}: what becomes of the {leaves} below?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Regrow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter writes it; an empty note is erased.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What {node} predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counted: {value} for “{target}”. Leave the field empty to predict that again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the leaf predicts of {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Set it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has to be a finite number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}” is no number: write one like 12.5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold the branches of nodes with fewer training rows than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fold the branches of nodes with fewer training rows than</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fold them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree stays as it is: only the picture hides what is below them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All leaves shown: nothing would be folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find… Enter ticks what is found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Set label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>excluded at {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns excluded below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search does not use ticked columns at this node and below it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Exclude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Criterion at and below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Set criterion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locked columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No search uses ticked columns; existing splits stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another tree in the panel Comparison first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coloured by: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cards &amp;show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;eset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Car&amp;ds, from top to bottom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree from top to bottom, in cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cards, from top to bottom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams, from left to ri&amp;ght</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree from left to right, in streams as wide as their rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Streams, from left to right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{does} ({key})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfolds all: shows the whole tree again (Shift+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Levels shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Levels shown: {levels} of {all} (D: one more, Shift+D: one fewer)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{all} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{levels} of {all} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sho&amp;w panels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column to predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class in focus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree is coloured by the rate of this class. It can be changed at any time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Focus on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree will predict this column from the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number: each leaf predicts a mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes seen in the first rows; there may be more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma  ,</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Semicolon  ;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bar  |</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point  1.5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma  1,5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;heet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delimiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;ecimal mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decimal mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>E&amp;ncoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First &amp;row holds the names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First row holds the names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that stand for a missing value, separated by commas. Empty cells always do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only empty cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Missing values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parts of the rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the first rows again…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the table…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the reading first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no rows to open: add some to the table, or correct how it is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and {n} more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The column “{column}” says which rows train, validate and test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the first rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the levels of “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chooses the class whose share colours the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Espalier speaks {language} after the next start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow at onc&amp;e</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path and ro&amp;ws</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pru&amp;ne by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branc&amp;h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fold branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number; splits cut it at a threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Integer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A whole number; splits cut it at a threshold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names without an order; splits sort them into groups.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ordered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ordered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names with an order; splits cut it between two levels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A day or a point in time; splits cut it at a date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>boolean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Boolean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>True or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the tree predicts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>feature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Feature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits may use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It stays in the table, and no split uses it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A class left empty weighs as much as its share of the training rows. Where all are filled in, any unit will do: 1 and 3 mean the same as 0.25 and 0.75.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows are the true classes, columns the predicted ones. A mistake left empty costs 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: {example}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{option} as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Use them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost by true and predicted class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight by class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>predicted {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library: {name}; command line: {typed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to the default: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset {option} to the default: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes “{group}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens “{group}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No matching options.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find an option…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a search option</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resets all options to their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table: how its splits are searched will be set here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A sampling weight: how much each row counts beside the others; one column at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many equal rows each row stands for, a whole number; one column at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Partition</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says which rows train, validate and test; one column at most.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows that belong together; nothing uses it yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A feature that no search may use; splits that are made by it stay.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distinct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the rows spread over the values; coloured by class.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows without a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different values that occur.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 different value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} different values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word}: {meaning}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 feature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} features</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns}, {features}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First make another column the target.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it the &amp;target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Ignore it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Use it as a feature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Un&amp;lock it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Lock it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No search uses a locked column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of &amp;levels…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a column…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table: its columns will stand here, with their kinds, gaps and values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and {n} more rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock it first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock it first (Shift+K)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock the column first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unlock the column first (Ctrl+K)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>include it again there first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>include it again there first (X)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This leaf cannot be merged: the branches beside it are split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree has changed in the meantime: check the node and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another tree was opened in the meantime: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to prune: all remaining splits are pinned or locked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (best of {column})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (best of {column}, branches kept)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (best of {column}, branches regrown)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (by hand)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (by hand, branches kept)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split} (by hand, branches regrown)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to its place (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it the whole middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows or hides “{place}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole middle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge “{name} {one}” and “{two}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste a branch of {leaves} at {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 of the copied splits divides no training rows here and was omitted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of the copied splits divide no training rows here and were omitted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune the weakest split, by “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the note of {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the note of {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the note of {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unlock {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset leaf label at {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set leaf label “{label}” at {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset the criterion below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search by {criterion} below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree has changed in the meantime, and the node is gone. Its note would have been: {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree has changed in the meantime, and the node is gone: nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude {columns} below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Include {columns} again below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exclude {excluded} and include {included} again below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} is locked: no search uses it from now on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} are locked: no search uses them from now on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} is unlocked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} are unlocked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} and {n} more columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by {split} (by hand, read as {kind})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by {split} (by hand)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {leaves} (best anywhere)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by {split} (best anywhere)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {leaves} (best here)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by {split} (best here)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split {node} by {split} (best of {column})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the split of {node} by {split}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{column} into {n} branches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locked: nothing changes at or below this node.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Locked, as {node} is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned: automatic growing and pruning leave this node alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pruning chose the label {label}; the counts predict {counted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled by hand: as a leaf it predicts {label}; the counts predict {counted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Labelled by hand: predicts {label}; the counts predict {counted}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{columns} and {n} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded at and below this node: {columns}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Excluded by {node}: {columns}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searched by {criterion}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searched by {criterion}, as set on a node above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note: {note}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This leaf is pinned, so nothing grows from it: unpin it first (K), or split it by a candidate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splits of this tree were chosen on other rows: some of them validate now, which flatters the validation error. Regrow the tree for an honest figure.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workbook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typed columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by semicolons</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by tabs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by spaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pasted table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows not counted yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>separated by {delimiter}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table cannot be read like this: take the last change back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First rows of the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F2 changes the kind of the current column, F3 its role.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>used {n} times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 more split went for the same reason, all with their branches; undo brings them back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} more splits went for the same reason, all with their branches; undo brings them back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree was grown for the classes {old} of “{target}”; this table has {new}: what the leaves predict was counted again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}); by its costs and priors a row costs {cost} on average.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} has the mean absolute error {error}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} has the root mean squared error {error}, R² {r2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not choose a tree by this figure, or it is no longer a test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looked at {n} times now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow one level to {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow to {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow branch “{branch}” to {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete {leaves} below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back {leaves} below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut by clicks to {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prune to {leaves} ({method})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divide rows by “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train on all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divide rows: {validation} validation, {test} test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves predict {summary}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities by m-estimate, m = {m}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities as counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Probabilities by {way}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change what leaves predict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to split; the last {n} splits do not help the validation rows: back to {leaves}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to split; the last split does not help the validation rows: back to {leaves}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the next {n} splits helps the validation rows: the tree stays as it is. The chart shows them in grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the next {n} splits helps the validation rows: the tree goes back to {leaves}. The chart shows them in grey.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to split: every leaf is pure, or the search options allow no further split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings: it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings that keep the hand-made split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings that keep the hand-made split: it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To prune it too, untick Keep hand-made splits in the Pruning panel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings that keep the {n} hand-made splits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings that keep the {n} hand-made splits: it is back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To prune them too, untick Keep hand-made splits in the Pruning panel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root is locked, so nothing grows at or below it: unlock it first (Shift+K).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node} is locked, so nothing grows at or below it: unlock it first (Shift+K).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped before anything changed: the tree is as it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root cannot be split: all of its rows are “{label}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The root cannot be split: the search options allow no split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} validate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} kept for the test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} rows: {parts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is left to split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree has {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree is {levels} deep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree is {levels} deep, or it has {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>small letters within sentences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Desktop entries exist on Linux only: on this system, make a shortcut to main.py.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The desktop entry cannot be written to “{path}”: {problem}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>highest means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lowest means</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranked by the lower end of the 95 % interval of the training rate (Wilson 1927): a few rows that happen to be of one class do not lead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranked by the nearer end of Student’s 95 % interval of the training mean, from the deviation in the leaf and a little of that of all rows: a few rows that happen to be extreme do not lead. Leaves of one or two rows come last.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranked by the lower end of Wilson’s 95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ranked by the end of the mean’s 95 % interval; leaves of one or two rows last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No leaf holds a training row of this class: choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No leaf holds training rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best leaves for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the list (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Best leaves for “{target}” =</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves with the</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rate {rate}, 95 % lower bound: {bound}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean {mean}, ranked by {bound}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean {mean}, last, for it has too few rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{limit}; leave empty for no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of the leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ends the filter: all leaves stand out again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the form; the filter stays (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show leaves that have</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows at least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of all rows at least, in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How sure at least, in percent: the share of the class that the leaf predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spread at most: how far the values lie from what the leaf predicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows or their share</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>% of all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>% sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean absolute error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All leaves stand out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No leaf passes: ask for less.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{leaves}, {share} of the validation rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{leaves}, {share} of the rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the form of the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{asked}  ·  {leaves}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A column finds the nodes that split by it, a level or other words of a condition the nodes that it leads to, a class the leaves that predict it; conditions may be joined by “and”. #12 is node 12.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column, level, rule or #node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place} of {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the one before (Shift+Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the next one (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes the find bar (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop following this row (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop following these rows (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row {row} ({target})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row {row}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 split</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} splits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after {splits} its leaf predicts {prediction}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after {splits}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the training rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>those for validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} for training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} for validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} · {valid} of {validation}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} · {train} of {training}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} · {train} of {training} ({valid} of {validation})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} · {train}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows} · {train} ({valid} of {validation})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} not in the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} of {total} rows, {share}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table, and its tree will stand here: every row in one root, ready to be split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a split at the right, or press Go.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No column separates these rows: there is nothing to split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decision tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every node is a block of bits: the number of a column to split by, or of a class to predict, and then what tells the split from others of its column. One block more says that the tree ends, so no tree’s word begins another one’s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prefix code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blocks of the code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing the code…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bits of the tree, to be changed and read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;opy the bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing the tree in bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bits} bits are too many to show them here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The code went wrong; the log has the details.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read from bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{bits} bits in {blocks} blocks, each begun by one of {symbols} symbols; {ideal} bits if a choice among n could take log₂ n of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} further blocks are not listed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again, the bits are the same tree: every split and every label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These bits are another tree, of {leaves} and depth {depth}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The &amp;branch below {node}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole &amp;tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One &amp;level: every leaf once  (L)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One &amp;split: where it gains most  (S)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Regrow from scratch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Otherwise these options hold for this growth only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keep as the search options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Grow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to grow below {node}: every leaf is pure, or the options allow no further split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to grow: every leaf is pure, or the options allow no further split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes {splits} below {node} back and grows again until {limits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes {splits} back and grows again until {limits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits the leaf whose best split gains most, weighted by its rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits the open leaf once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits each of the {n} open leaves once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the open leaf</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the {n} open leaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows {leaves} below {node} until {limits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grows {leaves} until {limits}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: parent, child, sibling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: the root</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+wheel, pinch; + and −</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: zoom into a box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift and drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: come closer, see all again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click beside the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: move the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel; drag the empty canvas, or anything with Space or the middle button</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: move the view by a step, by a page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+arrow keys; Page Up and Page Down, with Shift sideways</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: nodes further apart or nearer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Shift+arrow keys; Ctrl+Shift+wheel across, Ctrl+Alt+wheel down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: the menu of the selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu key, Shift+F10</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas: split by a column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag it from the columns panel onto a node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the find bar: the next one, the one before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter; Shift+Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the note of a node: write it, withdraw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter, Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Among the candidates: accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter, or a double click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Among the candidates: withdraw the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the split editor: move the cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag it, or Left and Right; further with Shift</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the split editor: add cut, remove cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click; right click or Del</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the split editor: which cut the keys move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up and Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the split editor: zoom, see all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wheel; double click on an axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the split editor: make the split, withdraw it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter; Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts — Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Espalier</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decision trees, grown by hand and cut back without regret.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free software under the BSD 3-clause licence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation rows in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test rows in percent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed of the division into parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed divides the same rows in the same way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Te&amp;st</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Divide the rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting the parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{train} rows train, {validation} validate, {test} are kept for the test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By &amp;shares, at random, the same in every class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As a &amp;column says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Column that names the parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No column has the few values that would name the parts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Divide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid to type a table into; the first row holds the names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste or type a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste or type a table: names in the first row, one row for each case below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the text…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the text first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One column only: a tree needs a target and at least one feature.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are names but no rows yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This text is too long to be pasted: save it to a file and open the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type into a grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What will be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy cells from a spreadsheet or lines of a CSV file, or type a few rows yourself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file with {nodes}, some folded at first, for any browser; it needs no network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One file with {nodes}, for any browser; it needs no network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 page of {paper}: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} pages, {rows} × {columns}, of {paper}: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 page of {wide} × {high} mm: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{wide} × {high} pixels: {detail}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree is drawn closer together, for a PNG holds {area} million pixels, {side} a side: SVG and PDF keep it whole.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image scale × {scale}, for a PNG holds {area} million pixels, {side} a side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{folds}; {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the view shows it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{some} of {n} nodes have room for words, the others are bars</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every node has its words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{some} of {n} nodes have room for words, the others are boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>small cards show their names only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every card is whole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG drawing, with real text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page for browsers that zooms and folds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As large as it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One page, as large as the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light, on white paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 is sharp in print and on dense screens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split over pa&amp;ges, to be pasted together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Legend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fit figures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Image scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paper</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the car&amp;ds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colou&amp;rs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The &amp;whole tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the &amp;view shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folded branches sta&amp;y folded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Puts the picture on the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A page for browsers holds the whole tree or a branch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The view shows them folded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {shown} most frequent of {levels} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The {shown} first of {levels} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: it is missing in every row.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One value only: “{value}”. There is nothing to split.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearly unique: {values} different values in {rows} rows. It may name the row rather than describe it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near-perfect alone ({share} right): is it known only after the outcome?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near-perfect alone ({share} of the variance explained): is it known only after the outcome?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{level}: {rows}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Levels, lowest first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reverse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Sort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The lowest level stands first. A split cuts this list between two levels.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words} ({keys})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Profile of “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folds or unfolds the profile of “{column}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean {mean}, median {median}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quartiles {lower} and {upper}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum {low}, maximum {high}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 more level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} more levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing in {missing} of {rows} rows ({share})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a tree above: it stands beside the one on the canvas then, judged by the same rows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tree from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training absolute error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation absolute error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation squared error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation R²</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Depth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{error} ({low} to {high})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no training rows to compare the trees by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are no validation rows to compare the trees by.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} training rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} validation rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {rows} the trees predict none differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of {rows} the trees predict {differ} ({share}) differently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the tree on the canvas is right on {first} of them, only the other on {second}; McNemar&apos;s test: {chance}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paired test of the errors: {chance}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both trees were grown on the training rows, so the larger one looks better on them than it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The validation rows were used {often} to choose: a tree that was chosen by them looks better on them than it is, and the test and the interval do not know that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too few rows to tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p = {p}, chance alone seldom makes as much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>p = {p}, chance alone often makes as much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their errors are the same (95 %: {interval}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree on the canvas errs {size} less (95 %: {interval}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tree on the canvas errs {size} more (95 %: {interval}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low} less to {high} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{near} to {far} less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{near} to {far} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} pp</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour the canvas where they differ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the table and the sentences as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the canvas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of both trees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table and grow a tree first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with a tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trees (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other tree: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error on the training rows after the step: the share of wrong labels, or the mean squared error (MSE; where leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which the labels minimise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error on the validation rows after the step: the share of wrong labels, or the mean squared error (MSE; where leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which the labels minimise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training error against the step before, shares in percentage points (pp), or with costs or priors the mean cost: + is worse, − is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation error against the step before, shares in percentage points (pp), or with costs or priors the mean cost: + is worse, − is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors after every step; arrow keys go to the step before or after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{share} · cost {cost}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>current step {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undone step {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{place}: {step}, {leaves}, training error {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training MSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation MSE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training MAE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Validation MAE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was done; a click goes back to the tree after it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leaves of the tree after the step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps made so far; Enter goes to one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table: every step that you make will be listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>validation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CART</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Binary splits by Gini or squared error, as in Breiman, Friedman, Olshen and Stone (1984).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ID3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Entropy, one branch for each level, as in Quinlan (1986).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kearns–Mansour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The √ criterion, best leaf first, as in Kearns and Mansour (1996).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rpart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Binary splits with surrogates, stopped at cp = 0.01, as in Therneau and Atkinson&apos;s rpart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often validation rows were looked at to make a decision: each use makes their figure a little too good. Test rows, if there are any, are untouched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost: what a row costs on average, mistakes at their costs and classes by their priors; the labels of such leaves make it small, even where that makes the error larger.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiling what this needs, once…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Criterion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The criterion by which splits are ranked: open a table first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splits are ranked by {criterion}: {formula}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets all options of the search to those of a known method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset of the search options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit of the tree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>depth {depth}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train {train}, valid {valid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train {train}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>valid {valid}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error: {figures}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>absolute error explained {figures}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R² {figures}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cost: {figures}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{figures} ({used})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training and validation: the share of rows with the wrong label.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training and validation: the share of the absolute error of the root that the tree takes away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training and validation: R², the share of the squared error of the root that the tree takes away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stops the work and keeps what is valid so far (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{job}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>info</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{level}: {message}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies this sentence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Way to the node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{condition} (row: {value})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows}, mean {mean}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rows}, {share} {label}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{node} · validation {figure} ({rows})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc ends the presentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a table to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log is “{path}”.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
