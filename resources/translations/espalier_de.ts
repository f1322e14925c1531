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
        <source>&amp;Open…</source>
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
        <source>&amp;Close</source>
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
        <source>&amp;Fit the tree</source>
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
        <source>What {node} predicts</source>
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
        <source>Streams, from left to ri&amp;ght</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows the tree from left to right, in streams as wide as their rows</source>
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
        <source>&amp;Focus on</source>
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
        <source>Weight</source>
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
        <source>Node</source>
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
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} rows</source>
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
</context>
</TS>
