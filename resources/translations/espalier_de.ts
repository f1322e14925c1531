<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>First start: the search is being compiled in the background. Until then, first answers on large tables take up to a minute.</source>
        <translation>Erster Start: Die Suche wird im Hintergrund kompiliert. Bis dahin dauern erste Antworten bei großen Tabellen bis zu einer Minute.</translation>
    </message>
    <message>
        <source>The last start did not finish, so the window is where it was at first.</source>
        <translation>Der letzte Start wurde nicht fertig, daher ist das Fenster, wo es zuerst war.</translation>
    </message>
    <message>
        <source>Espalier ended unexpectedly: open the autosaved copy of “{name}” from {time}?</source>
        <translation>Espalier wurde unerwartet beendet: Die automatisch gesicherte Kopie von „{name}“ von {time} öffnen?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Something went wrong — Espalier</source>
        <translation>Etwas ging schief — Espalier</translation>
    </message>
    <message>
        <source>Something went wrong, and Espalier stopped what it was doing. Your table and your tree are as they were before; you can go on. The report below is also in the log, {path}.</source>
        <translation>Etwas ging schief, und Espalier hat angehalten, was es tat. Ihre Tabelle und Ihr Baum sind, wie sie vorher waren; Sie können weiterarbeiten. Der Bericht unten steht auch im Protokoll, {path}.</translation>
    </message>
    <message>
        <source>Error report</source>
        <translation>Fehlerbericht</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation>Parquet</translation>
    </message>
    <message>
        <source>Every row of the file gets the leaf that it reaches, the rule of that leaf, the prediction and the probability of each class. The file needs no column “{target}”.</source>
        <translation>Jede Zeile der Datei erhält das Blatt, das sie erreicht, dessen Regel, die Vorhersage und die Wahrscheinlichkeit jeder Klasse. Die Datei braucht keine Spalte „{target}“.</translation>
    </message>
    <message>
        <source>Every row of the file gets the leaf that it reaches, the rule of that leaf and the prediction. The file needs no column “{target}”.</source>
        <translation>Jede Zeile der Datei erhält das Blatt, das sie erreicht, dessen Regel und die Vorhersage. Die Datei braucht keine Spalte „{target}“.</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Bewerten</translation>
    </message>
    <message>
        <source>File with the rows to score</source>
        <translation>Datei mit den zu bewertenden Zeilen</translation>
    </message>
    <message>
        <source>only the report</source>
        <translation>nur der Bericht</translation>
    </message>
    <message>
        <source>File to write the scored rows to</source>
        <translation>Datei für die bewerteten Zeilen</translation>
    </message>
    <message>
        <source>&amp;Rows in</source>
        <translation>&amp;Zeilen in</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>&amp;Schreiben nach</translation>
    </message>
    <message>
        <source>&amp;Score</source>
        <translation>&amp;Bewerten</translation>
    </message>
    <message>
        <source>Choose the file with the rows.</source>
        <translation>Wählen Sie die Datei mit den Zeilen.</translation>
    </message>
    <message>
        <source>Scored rows are written as {kinds}: choose a name that ends so.</source>
        <translation>Bewertete Zeilen werden als {kinds} geschrieben: Wählen Sie einen Namen mit einer solchen Endung.</translation>
    </message>
    <message>
        <source>This file holds the rows that are to be scored: choose another name.</source>
        <translation>Diese Datei enthält die Zeilen, die bewertet werden sollen: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>“{name}” exists and will be replaced.</source>
        <translation>„{name}“ existiert und wird ersetzt.</translation>
    </message>
    <message>
        <source>A workbook holds {n} rows: for more choose CSV or Parquet.</source>
        <translation>Eine Arbeitsmappe fasst {n} Zeilen: Wählen Sie für mehr CSV oder Parquet.</translation>
    </message>
    <message>
        <source>scored</source>
        <translation>bewertet</translation>
    </message>
    <message>
        <source>Scored: {name}</source>
        <translation>Bewertet: {name}</translation>
    </message>
    <message>
        <source>{rows} of “{name}”</source>
        <translation>{rows} aus „{name}“</translation>
    </message>
    <message>
        <source>The rows are in “{path}”, with the columns {names}.</source>
        <translation>Die Zeilen liegen in „{path}“, mit den Spalten {names}.</translation>
    </message>
    <message>
        <source>Only this report was made: no rows were written.</source>
        <translation>Nur dieser Bericht wurde gemacht: Es wurden keine Zeilen geschrieben.</translation>
    </message>
    <message>
        <source>What was found in each column</source>
        <translation>Was in jeder Spalte gefunden wurde</translation>
    </message>
    <message>
        <source>The leaves, those whose share changed most first</source>
        <translation>Die Blätter, die mit der größten Änderung des Anteils zuerst</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Select leaves that &amp;moved</source>
        <translation>&amp;Verschobene Blätter auswählen</translation>
    </message>
    <message>
        <source>No leaf has another share by more than chance and by a quarter or more.</source>
        <translation>Bei keinem Blatt hat sich der Anteil über den Zufall hinaus und um ein Viertel oder mehr geändert.</translation>
    </message>
    <message>
        <source>Selects the leaves on the canvas whose share changed by more than chance and by a quarter or more</source>
        <translation>Wählt auf der Zeichenfläche die Blätter aus, deren Anteil sich über den Zufall hinaus und um ein Viertel oder mehr geändert hat</translation>
    </message>
    <message>
        <source>&amp;Copy the report</source>
        <translation>Bericht &amp;kopieren</translation>
    </message>
    <message>
        <source>Open the &amp;folder</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>The settings cannot be read, so all of them are reset: {problem}</source>
        <translation>Die Einstellungen lassen sich nicht lesen, daher sind alle zurückgesetzt: {problem}</translation>
    </message>
    <message>
        <source>The setting “{name}” was damaged; it is reset.</source>
        <translation>Die Einstellung „{name}“ war beschädigt; sie ist zurückgesetzt.</translation>
    </message>
    <message>
        <source>The setting “{name}” was “{value}”, which cannot be used; it is reset.</source>
        <translation>Die Einstellung „{name}“ war „{value}“, was nicht verwendbar ist; sie ist zurückgesetzt.</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Rows of the matrix</source>
        <translation>Zeilen der Matrix</translation>
    </message>
    <message>
        <source>What the cells say</source>
        <translation>Was die Zellen sagen</translation>
    </message>
    <message>
        <source>Share of the true class</source>
        <translation>Anteil der wahren Klasse</translation>
    </message>
    <message>
        <source>Share of the predicted class</source>
        <translation>Anteil der vorhergesagten Klasse</translation>
    </message>
    <message>
        <source>Precision, recall, F1 and AUC of every class, not only of the one in focus</source>
        <translation>Präzision, Recall, F1 und AUC jeder Klasse, nicht nur der hervorgehobenen</translation>
    </message>
    <message>
        <source>All classes</source>
        <translation>Alle Klassen</translation>
    </message>
    <message>
        <source>Copies matrices and figures as text</source>
        <translation>Kopiert Matrizen und Zahlen als Text</translation>
    </message>
    <message>
        <source>Makes the tree again without each tenth of the training rows, and judges it by that tenth: for tables with few validation rows, or none</source>
        <translation>Macht den Baum ohne jedes Zehntel der Trainingszeilen noch einmal und beurteilt ihn durch dieses Zehntel: für Tabellen mit wenigen Validierungszeilen oder ohne</translation>
    </message>
    <message>
        <source>Cross-validate</source>
        <translation>Kreuzvalidieren</translation>
    </message>
    <message>
        <source>Figures of the tree</source>
        <translation>Zahlen des Baumes</translation>
    </message>
    <message>
        <source>From the rows that made the tree</source>
        <translation>Aus den Zeilen, aus denen der Baum entstand</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Maß</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Rankings</source>
        <translation>Rangfolgen</translation>
    </message>
    <message>
        <source>Arithmetic of the split</source>
        <translation>Rechenweg der Teilung</translation>
    </message>
    <message>
        <source>Try any &amp;p, q and r…</source>
        <translation>Beliebige &amp;p, q und r ausprobieren…</translation>
    </message>
    <message>
        <source>By which criterion the split is worked out</source>
        <translation>Nach welchem Kriterium die Teilung vorgerechnet wird</translation>
    </message>
    <message>
        <source>Criterion of the arithmetic</source>
        <translation>Kriterium des Rechenwegs</translation>
    </message>
    <message>
        <source>Copies the arithmetic as text (Ctrl+C)</source>
        <translation>Kopiert den Rechenweg als Text (Strg+C)</translation>
    </message>
    <message>
        <source>More: the figure as a file, or with other numbers</source>
        <translation>Mehr: das Schaubild als Datei oder mit anderen Zahlen</translation>
    </message>
    <message>
        <source>Sum and figure</source>
        <translation>Summe und Schaubild</translation>
    </message>
    <message>
        <source>Guess the next split</source>
        <translation>Nächste Teilung raten</translation>
    </message>
    <message>
        <source>Guess</source>
        <translation>Schätzung</translation>
    </message>
    <message>
        <source>▶ Sweep</source>
        <translation>▶ Bewegen</translation>
    </message>
    <message>
        <source>■ Stop</source>
        <translation>■ Anhalten</translation>
    </message>
    <message>
        <source>Moves the threshold from left to right and draws its gain; Esc stops it</source>
        <translation>Bewegt die Schwelle von links nach rechts und zeichnet ihren Gewinn; Esc hält an</translation>
    </message>
    <message>
        <source>Stop the sweep</source>
        <translation>Bewegung anhalten</translation>
    </message>
    <message>
        <source>Sweep the threshold</source>
        <translation>Schwelle bewegen</translation>
    </message>
    <message>
        <source>Hides ranking and gains until you have guessed which column splits best, and where</source>
        <translation>Verbirgt Rangfolge und Gewinne, bis Sie geraten haben, welche Spalte am besten teilt, und wo</translation>
    </message>
    <message>
        <source>Which column would you split this leaf by?</source>
        <translation>Nach welcher Spalte würden Sie dieses Blatt teilen?</translation>
    </message>
    <message>
        <source>That is my guess</source>
        <translation>Das ist meine Schätzung</translation>
    </message>
    <message>
        <source>Show the ranking</source>
        <translation>Rangfolge zeigen</translation>
    </message>
    <message>
        <source>Choose a column…</source>
        <translation>Spalte wählen…</translation>
    </message>
    <message>
        <source>Ranking and gains are hidden until you have guessed.</source>
        <translation>Rangfolge und Gewinne sind verborgen, bis Sie geraten haben.</translation>
    </message>
    <message>
        <source>Now set the cut in the editor on the right, then confirm your guess.</source>
        <translation>Setzen Sie jetzt im Editor rechts den Schnitt, und bestätigen Sie dann Ihre Schätzung.</translation>
    </message>
    <message>
        <source>The editor shows the groups of its levels. Is that your guess?</source>
        <translation>Der Editor zeigt die Gruppen ihrer Ausprägungen. Ist das Ihre Schätzung?</translation>
    </message>
    <message>
        <source>Searching the columns…</source>
        <translation>Die Spalten werden durchsucht…</translation>
    </message>
    <message>
        <source>Open a table first.</source>
        <translation>Öffnen Sie zuerst eine Tabelle.</translation>
    </message>
    <message>
        <source>This node is split already: select a leaf to guess its split.</source>
        <translation>Dieser Knoten ist schon geteilt: Wählen Sie ein Blatt, um seine Teilung zu raten.</translation>
    </message>
    <message>
        <source>No column can split this leaf: select another one.</source>
        <translation>Keine Spalte kann dieses Blatt teilen: Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Open a table: the arithmetic of the chosen split will be shown here.</source>
        <translation>Öffnen Sie eine Tabelle: Der Rechenweg der gewählten Teilung wird dann hier gezeigt.</translation>
    </message>
    <message>
        <source>Choose a candidate: the arithmetic of its gain, with its own counts, will be shown here.</source>
        <translation>Wählen Sie einen Kandidaten: Der Rechenweg seines Gewinns mit seinen eigenen Zahlen wird hier gezeigt.</translation>
    </message>
    <message>
        <source>“{column}” cannot split this leaf: {reason}.</source>
        <translation>„{column}“ kann dieses Blatt nicht teilen: {reason}.</translation>
    </message>
    <message>
        <source>The selected node is split already: select a leaf.</source>
        <translation>Der ausgewählte Knoten ist schon geteilt: Wählen Sie ein Blatt.</translation>
    </message>
    <message>
        <source>The selected node is a leaf: select one that is split.</source>
        <translation>Der ausgewählte Knoten ist ein Blatt: Wählen Sie einen geteilten.</translation>
    </message>
    <message>
        <source>Nothing is folded.</source>
        <translation>Nichts ist eingeklappt.</translation>
    </message>
    <message>
        <source>All levels are shown.</source>
        <translation>Alle Ebenen sind gezeigt.</translation>
    </message>
    <message>
        <source>Only one level is shown below the root.</source>
        <translation>Unter der Wurzel ist nur eine Ebene gezeigt.</translation>
    </message>
    <message>
        <source>There is no leaf beside this one to merge it with.</source>
        <translation>Neben diesem steht kein Blatt, mit dem es sich verbinden ließe.</translation>
    </message>
    <message>
        <source>No branch was copied: select a node that is split, and copy it.</source>
        <translation>Kein Zweig wurde kopiert: Wählen Sie einen geteilten Knoten, und kopieren Sie ihn.</translation>
    </message>
    <message>
        <source>No rows are kept for validation: “Partition…” divides the rows.</source>
        <translation>Für die Validierung sind keine Zeilen zurückgelegt: „Aufteilung…“ teilt die Zeilen auf.</translation>
    </message>
    <message>
        <source>No rows are kept for a last test: “Partition…” divides the rows.</source>
        <translation>Für einen letzten Test sind keine Zeilen zurückgelegt: „Aufteilung…“ teilt die Zeilen auf.</translation>
    </message>
    <message>
        <source>The tree has no split yet.</source>
        <translation>Der Baum hat noch keine Teilung.</translation>
    </message>
    <message>
        <source>The target is numeric: what leaves predict is no choice among a few classes, so the tree has no code.</source>
        <translation>Die Zielspalte ist numerisch: Was Blätter vorhersagen, ist keine Wahl unter wenigen Klassen, also hat der Baum keinen Code.</translation>
    </message>
    <message>
        <source>No column is a feature: give one that role in the panel “Columns”.</source>
        <translation>Keine Spalte ist ein Merkmal: Geben Sie einer diese Rolle im Bereich „Spalten“.</translation>
    </message>
    <message>
        <source>No condition leads to the root: select another node.</source>
        <translation>Zur Wurzel führt keine Bedingung: Wählen Sie einen anderen Knoten.</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>&amp;Ordner öffnen…</translation>
    </message>
    <message>
        <source>Opens a folder of Parquet files as one table</source>
        <translation>Öffnet einen Ordner mit Parquet-Dateien als eine Tabelle</translation>
    </message>
    <message>
        <source>Open data&amp;base…</source>
        <translation>D&amp;atenbank öffnen…</translation>
    </message>
    <message>
        <source>Opens a table of a database, whose rows stay there</source>
        <translation>Öffnet eine Tabelle einer Datenbank, deren Zeilen dort bleiben</translation>
    </message>
    <message>
        <source>Export co&amp;de…</source>
        <translation>Co&amp;de exportieren…</translation>
    </message>
    <message>
        <source>Writes the tree for databases and programs: SQL, Python, pandas, JavaScript, C, R; runs the code here and compares each row</source>
        <translation>Schreibt den Baum für Datenbanken und Programme: SQL, Python, pandas, JavaScript, C, R; führt den Code hier aus und vergleicht jede Zeile</translation>
    </message>
    <message>
        <source>E&amp;xport report…</source>
        <translation>Bericht ex&amp;portieren…</translation>
    </message>
    <message>
        <source>Export &amp;hand-out…</source>
        <translation>&amp;Handzettel exportieren…</translation>
    </message>
    <message>
        <source>Score ro&amp;ws…</source>
        <translation>&amp;Zeilen bewerten…</translation>
    </message>
    <message>
        <source>Predicts the rows of a file by this tree, writes them with leaf, rule and prediction, and tells how they differ from the training rows</source>
        <translation>Sagt die Zeilen einer Datei mit diesem Baum vorher, schreibt sie mit Blatt, Regel und Vorhersage, und sagt, wie sie sich von den Trainingszeilen unterscheiden</translation>
    </message>
    <message>
        <source>Export lea&amp;ves…</source>
        <translation>Blätter e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Writes a table of all leaves, with rule, rows and figures, for a spreadsheet</source>
        <translation>Schreibt eine Tabelle aller Blätter, mit Regel, Zeilen und Zahlen, für eine Tabellenkalkulation</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>Nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>Nichts zu wiederholen.</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>Nichts läuft.</translation>
    </message>
    <message>
        <source>Copied: {text}</source>
        <translation>Kopiert: {text}</translation>
    </message>
    <message>
        <source>Copied, for DataFrame.query: {query}</source>
        <translation>Kopiert, für DataFrame.query: {query}</translation>
    </message>
    <message>
        <source>Training rows flow through the tree: ribbons, bars and figures</source>
        <translation>Trainingszeilen fließen durch den Baum: Bänder, Balken und Zahlen</translation>
    </message>
    <message>
        <source>Validation rows flow through the tree: ribbons, bars and figures</source>
        <translation>Validierungszeilen fließen durch den Baum: Bänder, Balken und Zahlen</translation>
    </message>
    <message>
        <source>Release to open</source>
        <translation>Zum Öffnen loslassen</translation>
    </message>
    <message>
        <source>Example {title}, {size}</source>
        <translation>Beispiel {title}, {size}</translation>
    </message>
    <message>
        <source>{path} is no longer there.</source>
        <translation>{path} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Open {name} again</source>
        <translation>{name} wieder öffnen</translation>
    </message>
    <message>
        <source>{name}, no longer there</source>
        <translation>{name}, nicht mehr da</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Tables and trees that you open will be listed here.</source>
        <translation>Tabellen und Bäume, die Sie öffnen, werden hier aufgeführt.</translation>
    </message>
    <message>
        <source>{rows} rows × {columns} columns</source>
        <translation>{rows} Zeilen × {columns} Spalten</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>CSV, TSV, Excel, OpenDocument, Parquet, Feather, folders of Parquet; press to choose a file</source>
        <translation>CSV, TSV, Excel, OpenDocument, Parquet, Feather, Ordner mit Parquet; drücken, um eine Datei zu wählen</translation>
    </message>
    <message>
        <source>Drop a data file or a folder here, or press to choose a file</source>
        <translation>Legen Sie eine Datei oder einen Ordner hier ab, oder drücken Sie, um eine Datei zu wählen</translation>
    </message>
    <message>
        <source>Drop a file or folder here</source>
        <translation>Datei oder Ordner hier ablegen</translation>
    </message>
    <message>
        <source>The mark of Espalier</source>
        <translation>Das Zeichen von Espalier</translation>
    </message>
    <message>
        <source>Grow a decision tree by hand, and let the data answer at every split.</source>
        <translation>Ziehen Sie einen Entscheidungsbaum von Hand, und lassen Sie bei jeder Teilung die Daten antworten.</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open fo&amp;lder…</source>
        <translation>O&amp;rdner öffnen…</translation>
    </message>
    <message>
        <source>&amp;Guided tour</source>
        <translation>&amp;Rundgang</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Opens a table, a project or a tree</source>
        <translation>Öffnet eine Tabelle, ein Projekt oder einen Baum</translation>
    </message>
    <message>
        <source>&amp;Paste or type a table…</source>
        <translation>Tabelle einfügen oder ein&amp;tippen…</translation>
    </message>
    <message>
        <source>Opens a table from the clipboard or from the keyboard</source>
        <translation>Öffnet eine Tabelle aus der Zwischenablage oder von der Tastatur</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Saves table, tree and settings as a project</source>
        <translation>Speichert Tabelle, Baum und Einstellungen als Projekt</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Saves the project under another name</source>
        <translation>Speichert das Projekt unter einem anderen Namen</translation>
    </message>
    <message>
        <source>Export pic&amp;ture…</source>
        <translation>&amp;Bild exportieren…</translation>
    </message>
    <message>
        <source>Writes the tree, a branch or what the view shows as PNG, SVG or PDF, or as a page for browsers that zooms and folds</source>
        <translation>Schreibt den Baum, einen Zweig oder das Gezeigte als PNG, SVG oder PDF, oder als Seite für Browser, die vergrößert und einklappt</translation>
    </message>
    <message>
        <source>Export &amp;JSON…</source>
        <translation>&amp;JSON exportieren…</translation>
    </message>
    <message>
        <source>Writes the tree as JSON, for other tables and programs</source>
        <translation>Schreibt den Baum als JSON, für andere Tabellen und Programme</translation>
    </message>
    <message>
        <source>Export r&amp;ules…</source>
        <translation>&amp;Regeln exportieren…</translation>
    </message>
    <message>
        <source>Writes the tree as text: the rules of each class or number</source>
        <translation>Schreibt den Baum als Text: die Regeln jeder Klasse oder Zahl</translation>
    </message>
    <message>
        <source>Growing takes the best split at each node and never comes back. In a small table all trees of a depth can be searched for the one of least training error.</source>
        <translation>Das Wachsen nimmt an jedem Knoten die beste Teilung und kommt nie zurück. In einer kleinen Tabelle lassen sich alle Bäume einer Tiefe nach dem mit dem kleinsten Trainingsfehler durchsuchen.</translation>
    </message>
    <message>
        <source>Searching all trees</source>
        <translation>Alle Bäume werden durchsucht</translation>
    </message>
    <message>
        <source>All trees</source>
        <translation>Alle Bäume</translation>
    </message>
    <message>
        <source>Depth of the trees</source>
        <translation>Tiefe der Bäume</translation>
    </message>
    <message>
        <source>How much of the search is done</source>
        <translation>Wie viel der Suche getan ist</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suche</translation>
    </message>
    <message>
        <source>&amp;Take this tree</source>
        <translation>Diesen Baum &amp;übernehmen</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Depth</source>
        <translation>&amp;Tiefe</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>Leaves</source>
        <translation>Blätter</translation>
    </message>
    <message>
        <source>Training error</source>
        <translation>Trainingsfehler</translation>
    </message>
    <message>
        <source>Validation error</source>
        <translation>Validierungsfehler</translation>
    </message>
    <message>
        <source>Grown</source>
        <translation>Gewachsen</translation>
    </message>
    <message>
        <source>Best of all</source>
        <translation>Bester von allen</translation>
    </message>
    <message>
        <source>The grown tree and the best of all trees</source>
        <translation>Der gewachsene Baum und der beste aller Bäume</translation>
    </message>
    <message>
        <source>Counting the trees…</source>
        <translation>Die Bäume werden gezählt…</translation>
    </message>
    <message>
        <source>Counting the trees</source>
        <translation>Die Bäume werden gezählt</translation>
    </message>
    <message>
        <source>That is too long: choose a smaller depth, or exclude columns of many different values.</source>
        <translation>Das dauert zu lange: Wählen Sie eine kleinere Tiefe, oder schließen Sie Spalten mit vielen verschiedenen Werten aus.</translation>
    </message>
    <message>
        <source>The search went wrong; the log has the details.</source>
        <translation>Beim Suchen ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Best of all trees, depth {depth}</source>
        <translation>Bester aller Bäume, Tiefe {depth}</translation>
    </message>
    <message>
        <source>{tests} at a node: {trees} trees of depth {depth} or less. Searching them takes {time}.</source>
        <translation>{tests} an einem Knoten: {trees} Bäume der Tiefe {depth} oder weniger. Sie zu durchsuchen dauert {time}.</translation>
    </message>
    <message>
        <source>1 test</source>
        <translation>1 Test</translation>
    </message>
    <message>
        <source>{n} different tests</source>
        <translation>{n} verschiedene Tests</translation>
    </message>
    <message>
        <source>about {n} years</source>
        <translation>etwa {n} Jahre</translation>
    </message>
    <message>
        <source>about {n} days</source>
        <translation>etwa {n} Tage</translation>
    </message>
    <message>
        <source>about {n} hours</source>
        <translation>etwa {n} Stunden</translation>
    </message>
    <message>
        <source>about {n} minutes</source>
        <translation>etwa {n} Minuten</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>weniger als eine Sekunde</translation>
    </message>
    <message>
        <source>up to {n} seconds</source>
        <translation>bis zu {n} Sekunden</translation>
    </message>
    <message>
        <source>Stopped: this is the best tree so far.</source>
        <translation>Angehalten: Dies ist der bisher beste Baum.</translation>
    </message>
    <message>
        <source>Growing misses nothing at this depth: it errs as little on the training rows, but needs {leaves} more.</source>
        <translation>Das Wachsen verpasst bei dieser Tiefe nichts: Es irrt auf den Trainingszeilen ebenso selten, braucht aber {leaves} mehr.</translation>
    </message>
    <message>
        <source>Growing misses nothing at this depth: it errs as little on the training rows.</source>
        <translation>Das Wachsen verpasst bei dieser Tiefe nichts: Es irrt auf den Trainingszeilen ebenso selten.</translation>
    </message>
    <message>
        <source>Growing misses a tree that errs less on the training rows: {best} instead of {grown}.</source>
        <translation>Das Wachsen verpasst einen Baum, der auf den Trainingszeilen seltener irrt: {best} statt {grown}.</translation>
    </message>
    <message>
        <source>On the validation rows it errs more: it has learned what is chance in the training rows.</source>
        <translation>Auf den Validierungszeilen irrt er öfter: Er hat gelernt, was in den Trainingszeilen Zufall ist.</translation>
    </message>
    <message>
        <source>On the validation rows it errs less, too.</source>
        <translation>Auch auf den Validierungszeilen irrt er seltener.</translation>
    </message>
    <message>
        <source>On the validation rows both err alike.</source>
        <translation>Auf den Validierungszeilen irren beide gleich.</translation>
    </message>
    <message>
        <source>Closes the document and shows the start page</source>
        <translation>Schließt das Dokument und zeigt die Startseite</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Bee&amp;nden</translation>
    </message>
    <message>
        <source>Quits Espalier</source>
        <translation>Beendet Espalier</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undoes the last step</source>
        <translation>Macht den letzten Schritt rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Redoes the last undone step</source>
        <translation>Wiederholt den zuletzt rückgängig gemachten Schritt</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Puts the whole tree as a picture on the clipboard, looking as the one that was exported last, with what stands out</source>
        <translation>Legt den ganzen Baum als Bild in die Zwischenablage, mit dem Aussehen des zuletzt exportierten und mit dem, was hervorgehoben ist</translation>
    </message>
    <message>
        <source>Minimap of the tree</source>
        <translation>Übersichtskarte des Baumes</translation>
    </message>
    <message>
        <source>The whole tree; the frame is what is in view. Drag it, or click where you want to look. With keys: Ctrl and arrows, Page Up and Page Down (hide it: O)</source>
        <translation>Der ganze Baum; der Rahmen ist, was zu sehen ist. Ziehen Sie ihn, oder klicken Sie, wohin Sie sehen wollen. Mit Tasten: Strg und Pfeile, Bild auf und Bild ab (verbergen: O)</translation>
    </message>
    <message>
        <source>&amp;Hide the minimap</source>
        <translation>Übersichtskarte &amp;verbergen</translation>
    </message>
    <message>
        <source>&amp;Fit the tree</source>
        <translation>Baum ein&amp;passen</translation>
    </message>
    <message>
        <source>The whole tree as an icicle</source>
        <translation>Der ganze Baum als Eiszapfendiagramm</translation>
    </message>
    <message>
        <source>Shows the whole tree</source>
        <translation>Zeigt den ganzen Baum</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>&amp;Tatsächliche Größe</translation>
    </message>
    <message>
        <source>Shows the tree at 100 %</source>
        <translation>Zeigt den Baum in 100 %</translation>
    </message>
    <message>
        <source>&amp;Zoom to the selection</source>
        <translation>Auswahl vergr&amp;ößern</translation>
    </message>
    <message>
        <source>Shows the selected node with all below it as large as fits; the whole tree where it is the root</source>
        <translation>Zeigt den ausgewählten Knoten mit allem darunter so groß wie möglich; den ganzen Baum, wenn es die Wurzel ist</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Vergrößern</translation>
    </message>
    <message>
        <source>Shows the tree larger</source>
        <translation>Zeigt den Baum größer</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Shows the tree smaller</source>
        <translation>Zeigt den Baum kleiner</translation>
    </message>
    <message>
        <source>Fi&amp;nd…</source>
        <translation>Su&amp;chen…</translation>
    </message>
    <message>
        <source>Rings the nodes that a column, a level, words of a rule or a number like #12 mean; Enter walks through them</source>
        <translation>Umrandet die Knoten, die eine Spalte, eine Ausprägung, Wörter einer Regel oder eine Nummer wie #12 meinen; Eingabe geht sie durch</translation>
    </message>
    <message>
        <source>Filter leaves b&amp;y…</source>
        <translation>Blätter &amp;filtern nach…</translation>
    </message>
    <message>
        <source>Fades what does not lead to a leaf of so many rows, as sure as is asked</source>
        <translation>Blendet aus, was nicht zu einem Blatt mit so vielen Zeilen und der verlangten Sicherheit führt</translation>
    </message>
    <message>
        <source>&amp;Best leaves</source>
        <translation>&amp;Beste Blätter</translation>
    </message>
    <message>
        <source>Lists and rings the five leaves where a class is most frequent, or a number highest or lowest, as sure as one can be</source>
        <translation>Führt die fünf Blätter auf und umrandet sie, in denen eine Klasse am häufigsten oder eine Zahl am höchsten oder niedrigsten ist, so sicher, wie man sein kann</translation>
    </message>
    <message>
        <source>Next co&amp;lours</source>
        <translation>Nächste Fa&amp;rben</translation>
    </message>
    <message>
        <source>Colours the canvas by the next of “Colour by”</source>
        <translation>Färbt die Zeichenfläche nach dem nächsten Eintrag von „Färben nach“</translation>
    </message>
    <message>
        <source>&amp;Validation rows flow</source>
        <translation>Va&amp;lidierungszeilen fließen</translation>
    </message>
    <message>
        <source>Lets the validation rows flow through the tree instead of the training rows: ribbons, bars and figures are theirs, and nodes where the two disagree stand out</source>
        <translation>Lässt die Validierungszeilen statt der Trainingszeilen durch den Baum fließen: Bänder, Balken und Zahlen sind ihre, und Knoten, wo beide sich widersprechen, fallen auf</translation>
    </message>
    <message>
        <source>T&amp;urn the tree</source>
        <translation>Baum &amp;drehen</translation>
    </message>
    <message>
        <source>Shows the tree from left to right, in streams as wide as their rows, or from top to bottom, in cards</source>
        <translation>Zeigt den Baum von links nach rechts in Strömen, so breit wie ihre Zeilen, oder von oben nach unten in Karten</translation>
    </message>
    <message>
        <source>Icicl&amp;e</source>
        <translation>&amp;Eiszapfendiagramm</translation>
    </message>
    <message>
        <source>Shows the whole tree in a strip below the canvas: cells as wide as their rows, and a frame around what is in view</source>
        <translation>Zeigt den ganzen Baum in einem Streifen unter der Zeichenfläche: Zellen, so breit wie ihre Zeilen, und ein Rahmen um das, was zu sehen ist</translation>
    </message>
    <message>
        <source>Fol&amp;d</source>
        <translation>Ein&amp;klappen</translation>
    </message>
    <message>
        <source>Hides everything below the selected node, or shows it again; the tree stays as it is</source>
        <translation>Verbirgt alles unter dem ausgewählten Knoten, oder zeigt es wieder; der Baum bleibt, wie er ist</translation>
    </message>
    <message>
        <source>&amp;Unfold all</source>
        <translation>Alles &amp;ausklappen</translation>
    </message>
    <message>
        <source>Shows the whole tree again, whatever was folded</source>
        <translation>Zeigt wieder den ganzen Baum, was auch eingeklappt war</translation>
    </message>
    <message>
        <source>One level &amp;more</source>
        <translation>Eine Ebene &amp;mehr</translation>
    </message>
    <message>
        <source>Shows one level more of the tree, and folds what is below</source>
        <translation>Zeigt eine Ebene des Baumes mehr und klappt ein, was darunter liegt</translation>
    </message>
    <message>
        <source>One level &amp;fewer</source>
        <translation>Eine Ebene &amp;weniger</translation>
    </message>
    <message>
        <source>Shows one level fewer of the tree, and folds what is below</source>
        <translation>Zeigt eine Ebene des Baumes weniger und klappt ein, was darunter liegt</translation>
    </message>
    <message>
        <source>Fold &amp;branches below n rows…</source>
        <translation>Zweige mit weniger als n &amp;Zeilen einklappen…</translation>
    </message>
    <message>
        <source>Hides what is below nodes with fewer rows than a number that is asked for</source>
        <translation>Verbirgt, was unter Knoten mit weniger Zeilen steht als einer erfragten Zahl</translation>
    </message>
    <message>
        <source>&amp;Minimap</source>
        <translation>&amp;Übersichtskarte</translation>
    </message>
    <message>
        <source>Shows the whole tree in a corner of the canvas while only a part of it is in view: drag the frame, or click where you want to look</source>
        <translation>Zeigt den ganzen Baum in einer Ecke der Zeichenfläche, solange nur ein Teil davon zu sehen ist: Ziehen Sie den Rahmen, oder klicken Sie, wohin Sie sehen wollen</translation>
    </message>
    <message>
        <source>Smoot&amp;h motion</source>
        <translation>Sanfte Be&amp;wegung</translation>
    </message>
    <message>
        <source>Moves the view smoothly to where it is sent; it never does where the system asks for less motion</source>
        <translation>Bewegt die Ansicht sanft dorthin, wohin sie geschickt wird; nie, wenn das System weniger Bewegung verlangt</translation>
    </message>
    <message>
        <source>&amp;Presentation</source>
        <translation>V&amp;orführung</translation>
    </message>
    <message>
        <source>Fills the screen with the tree, or with the panel that has the whole middle, in large letters; Esc ends it</source>
        <translation>Füllt den Bildschirm mit dem Baum, oder mit dem Bereich, der die ganze Mitte hat, in großen Buchstaben; Esc beendet es</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>Anordnung z&amp;urücksetzen</translation>
    </message>
    <message>
        <source>Puts all panels back to their first places</source>
        <translation>Setzt alle Bereiche an ihre ersten Plätze zurück</translation>
    </message>
    <message>
        <source>&amp;Split best anywhere</source>
        <translation>Am besten &amp;irgendwo teilen</translation>
    </message>
    <message>
        <source>Splits the leaf whose best split gains most of all</source>
        <translation>Teilt das Blatt, dessen beste Teilung von allen am meisten gewinnt</translation>
    </message>
    <message>
        <source>Same split by {criterion}</source>
        <translation>Dieselbe Teilung nach {criterion}</translation>
    </message>
    <message>
        <source>What the same split gains by this criterion: {formula}</source>
        <translation>Was dieselbe Teilung nach diesem Kriterium gewinnt: {formula}</translation>
    </message>
    <message>
        <source>How much the impurity falls on the training rows that chose the split (by the gain ratio: of the entropy)</source>
        <translation>Um wie viel die Unreinheit auf den Trainingszeilen fällt, die die Teilung gewählt haben (beim Gewinnverhältnis: die Entropie)</translation>
    </message>
    <message>
        <source>Of best</source>
        <translation>Vom Besten</translation>
    </message>
    <message>
        <source>Percent of the best gain</source>
        <translation>Prozent des besten Gewinns</translation>
    </message>
    <message>
        <source>The gain in percent of the best candidate’s; it is shown by itself where there is room</source>
        <translation>Der Gewinn in Prozent von dem des besten Kandidaten; er steht für sich, wo Platz ist</translation>
    </message>
    <message>
        <source>Two levels</source>
        <translation>Zwei Ebenen</translation>
    </message>
    <message>
        <source>Gain with a second level</source>
        <translation>Gewinn mit einer zweiten Ebene</translation>
    </message>
    <message>
        <source>What the split and the best one below each of its branches gain together; it fills in while nothing else is to be done</source>
        <translation>Was die Teilung und die beste unter jedem ihrer Zweige zusammen gewinnen; es füllt sich, während sonst nichts zu tun ist</translation>
    </message>
    <message>
        <source>Validation gain</source>
        <translation>Validierungsgewinn</translation>
    </message>
    <message>
        <source>What the predictions of the branches, made from training rows, improve on the validation rows; below 0 where they mislead. It is coloured where less than a quarter of the training gain is left, and two standard errors do not explain that</source>
        <translation>Was die Vorhersagen der Zweige, aus Trainingszeilen gemacht, auf den Validierungszeilen verbessern; unter 0, wo sie in die Irre führen. Farbig, wo weniger als ein Viertel des Gewinns im Training bleibt und zwei Standardfehler das nicht erklären</translation>
    </message>
    <message>
        <source>LogWorth</source>
        <translation>LogWorth</translation>
    </message>
    <message>
        <source>−log₁₀ of the p-value, adjusted for the search: 2 means p = 0.01</source>
        <translation>−log₁₀ des p-Werts, angepasst an die Suche: 2 bedeutet p = 0.01</translation>
    </message>
    <message>
        <source>Branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>How many branches the split makes</source>
        <translation>Wie viele Zweige die Teilung macht</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinste</translation>
    </message>
    <message>
        <source>Share of the smallest branch</source>
        <translation>Anteil des kleinsten Zweiges</translation>
    </message>
    <message>
        <source>The share of the node’s training rows in the smallest branch: near 0 the split cuts off a few rows</source>
        <translation>Der Anteil der Trainingszeilen des Knotens im kleinsten Zweig: nahe 0 schneidet die Teilung wenige Zeilen ab</translation>
    </message>
    <message>
        <source>Training rows of the node in which the column is missing</source>
        <translation>Trainingszeilen des Knotens, denen die Spalte fehlt</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Stimmt überein</translation>
    </message>
    <message>
        <source>Agreement with the leading split</source>
        <translation>Übereinstimmung mit der führenden Teilung</translation>
    </message>
    <message>
        <source>The share of training rows that go the same way as with the leading split; ≈ marks a mimic, which would tell the same once more</source>
        <translation>Der Anteil der Trainingszeilen, die denselben Weg gehen wie bei der führenden Teilung; ≈ kennzeichnet einen Doppelgänger, der dasselbe noch einmal sagen würde</translation>
    </message>
    <message>
        <source>Wins</source>
        <translation>Siege</translation>
    </message>
    <message>
        <source>Wins in bootstrap samples</source>
        <translation>Siege in Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>The share of 200 bootstrap samples of the node’s training rows in which the column has the best split; it fills in while nothing else is to be done, and the plot shows where samples cut a column of numbers. Columns of many values win more easily by Gini and its like: the validation gain tells whether the split holds</source>
        <translation>Der Anteil von 200 Bootstrap-Stichproben der Trainingszeilen des Knotens, in denen die Spalte die beste Teilung hat; er füllt sich, während sonst nichts zu tun ist, und das Diagramm zeigt, wo Stichproben eine Zahlenspalte schneiden. Spalten mit vielen Werten gewinnen nach Gini und Ähnlichem leichter: Ob die Teilung hält, sagt der Validierungsgewinn</translation>
    </message>
    <message>
        <source>To next</source>
        <translation>Zum nächsten</translation>
    </message>
    <message>
        <source>Ratio to the next best</source>
        <translation>Verhältnis zum nächstbesten</translation>
    </message>
    <message>
        <source>How many times the gain of the next best split it has: 2.99 × is a cliff, 1.02 × a plateau</source>
        <translation>Wie oft sein Gewinn den der nächstbesten Teilung enthält: 2.99 × ist ein Steilhang, 1.02 × eine Ebene</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Teilung</translation>
    </message>
    <message>
        <source>The column that the rows would be split by; right arrow unfolds its further local optima</source>
        <translation>Die Spalte, nach der die Zeilen geteilt würden; Pfeil rechts klappt ihre weiteren lokalen Optima aus</translation>
    </message>
    <message>
        <source>The best split of this column</source>
        <translation>Die beste Teilung dieser Spalte</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Writes a report for those who have to trust the tree, of sections that you choose: a page, a PDF, a Word document, a slide, or its figures</source>
        <translation>Schreibt einen Bericht für alle, die dem Baum vertrauen müssen, aus Abschnitten Ihrer Wahl: eine Seite, ein PDF, ein Word-Dokument, eine Folie oder seine Zahlen</translation>
    </message>
    <message>
        <source>Export scr&amp;ipt…</source>
        <translation>S&amp;kript exportieren…</translation>
    </message>
    <message>
        <source>Writes a Python script that reads the table and makes this tree again</source>
        <translation>Schreibt ein Python-Skript, das die Tabelle liest und diesen Baum noch einmal macht</translation>
    </message>
    <message>
        <source>Writes the selected node as a page to hand out: the way to it, its rows, the splits that were looked at and the sums behind the one that stands; or the step of a replay that is on the canvas</source>
        <translation>Schreibt den gewählten Knoten als Seite zum Austeilen: den Weg zu ihm, seine Zeilen, die betrachteten Teilungen und die Rechnungen hinter der, die steht; oder den Schritt der Wiedergabe, der auf der Fläche ist</translation>
    </message>
    <message>
        <source>Copy as &amp;Python</source>
        <translation>Als P&amp;ython kopieren</translation>
    </message>
    <message>
        <source>Copies a Python script that reads the table and makes this tree again</source>
        <translation>Kopiert ein Python-Skript, das die Tabelle liest und diesen Baum noch einmal macht</translation>
    </message>
    <message>
        <source>Split this &amp;leaf</source>
        <translation>Dieses &amp;Blatt teilen</translation>
    </message>
    <message>
        <source>Splits the selected leaf by its best split</source>
        <translation>Teilt das ausgewählte Blatt nach seiner besten Teilung</translation>
    </message>
    <message>
        <source>Grow one le&amp;vel</source>
        <translation>Eine &amp;Ebene wachsen lassen</translation>
    </message>
    <message>
        <source>Splits every leaf once, each by its best split</source>
        <translation>Teilt jedes Blatt einmal, jedes nach seiner besten Teilung</translation>
    </message>
    <message>
        <source>Grow &amp;branch</source>
        <translation>Zweig &amp;wachsen lassen</translation>
    </message>
    <message>
        <source>Grows everything below the selected node, as far as the options allow</source>
        <translation>Lässt alles unter dem ausgewählten Knoten wachsen, soweit die Optionen es erlauben</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Los</translation>
    </message>
    <message>
        <source>Grows on while validation rows gain by it: until as many splits in a row do not help as the best tree has leaves, at least ten, then back to it; without validation rows the whole tree</source>
        <translation>Wächst weiter, solange die Validierungszeilen davon gewinnen: bis so viele Teilungen hintereinander nichts bringen, wie der beste Baum Blätter hat, mindestens zehn, dann zurück zu ihm; ohne Validierungszeilen der ganze Baum</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Los</translation>
    </message>
    <message>
        <source>Grow th&amp;e whole tree</source>
        <translation>Den &amp;ganzen Baum wachsen lassen</translation>
    </message>
    <message>
        <source>Grows the whole tree, as far as the options allow</source>
        <translation>Lässt den ganzen Baum wachsen, soweit die Optionen es erlauben</translation>
    </message>
    <message>
        <source>Gr&amp;ow…</source>
        <translation>Wa&amp;chsen…</translation>
    </message>
    <message>
        <source>Grows the tree, a branch, one level or one split, by options that are chosen first</source>
        <translation>Lässt den Baum, einen Zweig, eine Ebene oder eine Teilung wachsen, nach Optionen, die vorher gewählt werden</translation>
    </message>
    <message>
        <source>Shows how splits are searched, when growing stops and what leaves predict</source>
        <translation>Zeigt, wie Teilungen gesucht werden, wann das Wachsen endet und was Blätter vorhersagen</translation>
    </message>
    <message>
        <source>Search opt&amp;ions</source>
        <translation>Such&amp;optionen</translation>
    </message>
    <message>
        <source>&amp;All trees…</source>
        <translation>Alle &amp;Bäume…</translation>
    </message>
    <message>
        <source>Searches all trees of a depth for the one of least training error, and compares it with the grown one</source>
        <translation>Durchsucht alle Bäume einer Tiefe nach dem mit dem kleinsten Trainingsfehler und vergleicht ihn mit dem gewachsenen</translation>
    </message>
    <message>
        <source>Prefi&amp;x code…</source>
        <translation>Prä&amp;fixcode…</translation>
    </message>
    <message>
        <source>Writes the tree in the prefix-free code of description length, block by block, and reads bits back into a tree</source>
        <translation>Schreibt den Baum im präfixfreien Code der Beschreibungslänge, Block für Block, und liest Bits zurück in einen Baum</translation>
    </message>
    <message>
        <source>&amp;Prune</source>
        <translation>Stut&amp;zen</translation>
    </message>
    <message>
        <source>Cuts the tree back to what holds on unseen rows: by validation rows where there are any, else by cost complexity and cross-validation</source>
        <translation>Stutzt den Baum auf das, was auf ungesehenen Zeilen hält: nach Validierungszeilen, wo es welche gibt, sonst nach Kostenkomplexität und Kreuzvalidierung</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>Stutzen</translation>
    </message>
    <message>
        <source>Prune the wea&amp;kest split</source>
        <translation>Schwächste &amp;Teilung stutzen</translation>
    </message>
    <message>
        <source>Removes the split that gains least among those with only leaves below; pinned and locked splits stay</source>
        <translation>Entfernt die Teilung, die unter denen mit nur Blättern darunter am wenigsten gewinnt; angeheftete und gesperrte Teilungen bleiben</translation>
    </message>
    <message>
        <source>&amp;Delete below</source>
        <translation>Alles darunter l&amp;öschen</translation>
    </message>
    <message>
        <source>Makes a leaf of the selected node: all below it goes</source>
        <translation>Macht den ausgewählten Knoten zum Blatt: Alles darunter entfällt</translation>
    </message>
    <message>
        <source>C&amp;ut by clicks</source>
        <translation>Durch Klicks st&amp;utzen</translation>
    </message>
    <message>
        <source>A click on a node makes it a leaf, another one brings back what stood below it</source>
        <translation>Ein Klick auf einen Knoten macht ihn zum Blatt, ein weiterer bringt zurück, was darunter stand</translation>
    </message>
    <message>
        <source>Split by &amp;column…</source>
        <translation>Nach &amp;Spalte teilen…</translation>
    </message>
    <message>
        <source>Splits the selected node by the best split of a column that is chosen; a column can also be dragged onto a node</source>
        <translation>Teilt den ausgewählten Knoten nach der besten Teilung einer gewählten Spalte; eine Spalte lässt sich auch auf einen Knoten ziehen</translation>
    </message>
    <message>
        <source>&amp;Replace the split…</source>
        <translation>Teilung e&amp;rsetzen…</translation>
    </message>
    <message>
        <source>Puts the split in the editor, or the candidate that is looked at, in the place of the selected node’s</source>
        <translation>Setzt die Teilung im Editor, oder den angesehenen Kandidaten, an die Stelle der des ausgewählten Knotens</translation>
    </message>
    <message>
        <source>Wh&amp;y this split?</source>
        <translation>&amp;Warum diese Teilung?</translation>
    </message>
    <message>
        <source>Shows the arithmetic of the split that is looked at: the sum behind its gain, its figure, and the rankings by every criterion</source>
        <translation>Zeigt den Rechenweg der angesehenen Teilung: die Summe hinter ihrem Gewinn, ihr Schaubild und die Rangfolgen nach jedem Kriterium</translation>
    </message>
    <message>
        <source>&amp;Merge with…</source>
        <translation>&amp;Verbinden mit…</translation>
    </message>
    <message>
        <source>Makes one branch of the selected leaf and a leaf beside it</source>
        <translation>Macht aus dem ausgewählten Blatt und einem daneben einen Zweig</translation>
    </message>
    <message>
        <source>&amp;Copy branch</source>
        <translation>Zweig &amp;kopieren</translation>
    </message>
    <message>
        <source>Copies the splits at and below the selected node, for this window and others</source>
        <translation>Kopiert die Teilungen am ausgewählten Knoten und darunter, für dieses und andere Fenster</translation>
    </message>
    <message>
        <source>&amp;Paste branch</source>
        <translation>Zweig e&amp;infügen</translation>
    </message>
    <message>
        <source>Makes the copied splits below the selected leaf</source>
        <translation>Macht die kopierten Teilungen unter dem ausgewählten Blatt</translation>
    </message>
    <message>
        <source>&amp;Note…</source>
        <translation>&amp;Notiz…</translation>
    </message>
    <message>
        <source>Writes a note on the selected node</source>
        <translation>Schreibt eine Notiz zum ausgewählten Knoten</translation>
    </message>
    <message>
        <source>Set leaf la&amp;bel…</source>
        <translation>&amp;Vorhersage des Blattes setzen…</translation>
    </message>
    <message>
        <source>Sets by hand what the selected leaf predicts</source>
        <translation>Setzt von Hand, was das ausgewählte Blatt vorhersagt</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>An&amp;heften</translation>
    </message>
    <message>
        <source>Automatic growing and pruning leave a pinned node alone; by hand it can be changed</source>
        <translation>Automatisches Wachsen und Stutzen lassen einen angehefteten Knoten in Ruhe; von Hand lässt er sich ändern</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>&amp;Sperren</translation>
    </message>
    <message>
        <source>Nothing changes at or below a locked node, neither by hand nor automatically</source>
        <translation>An einem gesperrten Knoten und darunter ändert sich nichts, weder von Hand noch automatisch</translation>
    </message>
    <message>
        <source>E&amp;xclude columns below…</source>
        <translation>Spalten darunter a&amp;usschließen…</translation>
    </message>
    <message>
        <source>Chooses columns that no search uses at and below the selected node</source>
        <translation>Wählt Spalten, die am ausgewählten Knoten und darunter keine Suche verwendet</translation>
    </message>
    <message>
        <source>&amp;Criterion here…</source>
        <translation>&amp;Kriterium hier…</translation>
    </message>
    <message>
        <source>Chooses by what the selected node and those below it are searched</source>
        <translation>Wählt, wonach der ausgewählte Knoten und die darunter durchsucht werden</translation>
    </message>
    <message>
        <source>L&amp;ock columns…</source>
        <translation>Spalten sp&amp;erren…</translation>
    </message>
    <message>
        <source>Chooses columns that no search may use</source>
        <translation>Wählt Spalten, die keine Suche verwenden darf</translation>
    </message>
    <message>
        <source>&amp;Follow a row…</source>
        <translation>&amp;Zeile verfolgen…</translation>
    </message>
    <message>
        <source>Lights the way of one row, with the values that it has at each split: type its number, or pick it from the list</source>
        <translation>Hebt den Weg einer Zeile hervor, mit den Werten, die sie bei jeder Teilung hat: Tippen Sie ihre Nummer, oder wählen Sie sie aus der Liste</translation>
    </message>
    <message>
        <source>Follow rows &amp;where…</source>
        <translation>Zeilen verfolgen &amp;wo…</translation>
    </message>
    <message>
        <source>Lights the flow of the rows for which a condition holds, as in age &gt; 40 and city == &quot;Berlin&quot;</source>
        <translation>Hebt den Weg der Zeilen hervor, für die eine Bedingung gilt, wie age &gt; 40 and city == &quot;Berlin&quot;</translation>
    </message>
    <message>
        <source>Follow the rows he&amp;re</source>
        <translation>Die Zeilen &amp;hier verfolgen</translation>
    </message>
    <message>
        <source>Lights the flow of the rows of the selected nodes; they stay the same when the tree changes</source>
        <translation>Hebt den Weg der Zeilen der ausgewählten Knoten hervor; sie bleiben dieselben, wenn der Baum sich ändert</translation>
    </message>
    <message>
        <source>Follow the &amp;errors</source>
        <translation>&amp;Fehler verfolgen</translation>
    </message>
    <message>
        <source>Lights the flow of the rows that the tree labels wrongly; of numbers the tenth that is furthest from what it says; test rows only once they were looked at</source>
        <translation>Hebt den Weg der Zeilen hervor, die der Baum falsch vorhersagt; bei Zahlen das Zehntel, das am weitesten von der Vorhersage liegt; Testzeilen erst, wenn sie angesehen wurden</translation>
    </message>
    <message>
        <source>Copy the pat&amp;h</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>Copies the conditions that lead to the selected nodes, in words</source>
        <translation>Kopiert die Bedingungen, die zu den ausgewählten Knoten führen, in Worten</translation>
    </message>
    <message>
        <source>Copy the path as a &amp;query</source>
        <translation>Pfad als &amp;Abfrage kopieren</translation>
    </message>
    <message>
        <source>Copies the way to the selected nodes as an expression for DataFrame.query of pandas, which selects exactly their rows</source>
        <translation>Kopiert den Weg zu den ausgewählten Knoten als Ausdruck für DataFrame.query von pandas, der genau ihre Zeilen auswählt</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Stops the work and keeps the valid tree so far; or ends following rows, several selected nodes, or cutting by clicks</source>
        <translation>Hält die Arbeit an und behält den bis dahin gültigen Baum; oder beendet das Verfolgen von Zeilen, eine Auswahl mehrerer Knoten oder das Stutzen durch Klicks</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>&amp;Columns</source>
        <translation>&amp;Spalten</translation>
    </message>
    <message>
        <source>Shows the columns: their roles, their types, what they hold</source>
        <translation>Zeigt die Spalten: ihre Rollen, ihre Arten, ihren Inhalt</translation>
    </message>
    <message>
        <source>&amp;Partition…</source>
        <translation>&amp;Aufteilung…</translation>
    </message>
    <message>
        <source>Divides the rows into training, validation and test rows</source>
        <translation>Teilt die Zeilen in Trainings-, Validierungs- und Testzeilen auf</translation>
    </message>
    <message>
        <source>Shows the error on the test rows: look last, and choose nothing by it</source>
        <translation>Zeigt den Fehler auf den Testzeilen: Sehen Sie zuletzt hin, und wählen Sie nichts danach</translation>
    </message>
    <message>
        <source>Look at the &amp;test rows…</source>
        <translation>&amp;Testzeilen ansehen …</translation>
    </message>
    <message>
        <source>&amp;Handbook</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Opens the handbook at the page of the panel that has the focus</source>
        <translation>Öffnet das Handbuch auf der Seite des Bereichs, der den Fokus hat</translation>
    </message>
    <message>
        <source>Leads through the program in five minutes, with the penguins</source>
        <translation>Führt in fünf Minuten durch das Programm, mit den Pinguinen</translation>
    </message>
    <message>
        <source>&amp;Impurity of any p, q, r…</source>
        <translation>&amp;Unreinheit für beliebige p, q, r…</translation>
    </message>
    <message>
        <source>Draws the impurity of a node and its branches with shares that you choose: no table is needed</source>
        <translation>Zeichnet die Unreinheit eines Knotens und seiner Zweige mit Anteilen, die Sie wählen: Dafür ist keine Tabelle nötig</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>Click on anything to learn what it is</source>
        <translation>Klicken Sie auf etwas, um zu erfahren, was es ist</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Lists all keys</source>
        <translation>Führt alle Tasten auf</translation>
    </message>
    <message>
        <source>&amp;About Espalier</source>
        <translation>&amp;Über Espalier</translation>
    </message>
    <message>
        <source>Version, licence, and what this is</source>
        <translation>Version, Lizenz, und was dies ist</translation>
    </message>
    <message>
        <source>Open &amp;log</source>
        <translation>&amp;Protokoll öffnen</translation>
    </message>
    <message>
        <source>Opens the file that records messages and errors</source>
        <translation>Öffnet die Datei, die Meldungen und Fehler festhält</translation>
    </message>
    <message>
        <source>Split {node} by</source>
        <translation>Teilung: {node} nach</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
    <message>
        <source>The best split of the column is made.</source>
        <translation>Die beste Teilung der Spalte wird gemacht.</translation>
    </message>
    <message>
        <source>&amp;Split</source>
        <translation>&amp;Teilen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Splits the selected leaf exactly so (Enter)</source>
        <translation>Teilt das ausgewählte Blatt genau so (Eingabe)</translation>
    </message>
    <message>
        <source>Puts this split in the place of the selected node’s (Enter)</source>
        <translation>Setzt diese Teilung an die Stelle der des ausgewählten Knotens (Eingabe)</translation>
    </message>
    <message>
        <source>Weighing the split</source>
        <translation>Die Teilung wird bewertet</translation>
    </message>
    <message>
        <source>Only a leaf can read a column as another kind: delete what is below this node (Del) first.</source>
        <translation>Nur ein Blatt kann eine Spalte als andere Art lesen: Löschen Sie zuerst, was unter diesem Knoten steht (Entf).</translation>
    </message>
    <message>
        <source>Reading “{column}” as {kind}</source>
        <translation>„{column}“ wird als {kind} gelesen</translation>
    </message>
    <message>
        <source>{reason}: nothing separates the rows.</source>
        <translation>{reason}: Nichts trennt die Zeilen.</translation>
    </message>
    <message>
        <source>{remark}: the search may not make it, you may.</source>
        <translation>{remark}: Die Suche darf sie nicht machen, Sie dürfen.</translation>
    </message>
    <message>
        <source>The search has no split here: {reason}: the search may not make it, you may.</source>
        <translation>Die Suche hat hier keine Teilung: {reason}: Die Suche darf sie nicht machen, Sie dürfen.</translation>
    </message>
    <message>
        <source>Open a table: the chosen split will be drawn here.</source>
        <translation>Öffnen Sie eine Tabelle: Die gewählte Teilung wird dann hier gezeichnet.</translation>
    </message>
    <message>
        <source>Drawing “{column}”…</source>
        <translation>„{column}“ wird gezeichnet…</translation>
    </message>
    <message>
        <source>Choose a candidate above: its rows and its gains will be drawn here.</source>
        <translation>Wählen Sie oben einen Kandidaten: Seine Zeilen und Gewinne werden hier gezeichnet.</translation>
    </message>
    <message>
        <source>Training rows per branch: {rows}</source>
        <translation>Trainingszeilen je Zweig: {rows}</translation>
    </message>
    <message>
        <source>This split was found by climbing; it cannot be changed here.</source>
        <translation>Diese Teilung wurde durch Aufstieg gefunden; sie lässt sich hier nicht ändern.</translation>
    </message>
    <message>
        <source>Read as {new} for this split: making it sets the type of “{column}”, now {old}.</source>
        <translation>Für diese Teilung als {new} gelesen: Wenn sie gemacht wird, setzt sie die Art von „{column}“, jetzt {old}.</translation>
    </message>
    <message>
        <source>1 split elsewhere will be taken back.</source>
        <translation>1 Teilung an anderer Stelle wird zurückgenommen.</translation>
    </message>
    <message>
        <source>{n} splits elsewhere will be taken back.</source>
        <translation>{n} Teilungen an anderer Stelle werden zurückgenommen.</translation>
    </message>
    <message>
        <source>gain {gain}</source>
        <translation>Gewinn {gain}</translation>
    </message>
    <message>
        <source>two levels {gain}</source>
        <translation>zwei Ebenen {gain}</translation>
    </message>
    <message>
        <source>validation {gain}</source>
        <translation>Validierung {gain}</translation>
    </message>
    <message>
        <source>Merge {node} with</source>
        <translation>Verbinden: {node} mit</translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>What was counted</source>
        <translation>Was gezählt wurde</translation>
    </message>
    <message>
        <source>Save the changes to “{name}”?</source>
        <translation>Die Änderungen an „{name}“ speichern?</translation>
    </message>
    <message>
        <source>They are lost otherwise.</source>
        <translation>Sonst gehen sie verloren.</translation>
    </message>
    <message>
        <source>This pruning takes away 1 split that was made by hand.</source>
        <translation>Dieses Stutzen nimmt 1 von Hand gemachte Teilung weg.</translation>
    </message>
    <message>
        <source>This pruning takes away {n} splits that were made by hand.</source>
        <translation>Dieses Stutzen nimmt {n} von Hand gemachte Teilungen weg.</translation>
    </message>
    <message>
        <source>&amp;Keep hand-made splits</source>
        <translation>&amp;Handgemachte Teilungen behalten</translation>
    </message>
    <message>
        <source>&amp;Prune hand-made splits too</source>
        <translation>Auch &amp;handgemachte Teilungen stutzen</translation>
    </message>
    <message>
        <source>The tree of {leaves} predicts “{target}” as categories. It is discarded, and a new tree starts as a single leaf. Undo brings it back.</source>
        <translation>Der Baum mit {leaves} sagt „{target}“ als Kategorien vorher. Er wird verworfen, und ein neuer Baum beginnt als einziges Blatt. Rückgängig bringt ihn zurück.</translation>
    </message>
    <message>
        <source>The tree of {leaves} predicts “{target}” as a number. It is discarded, and a new tree starts as a single leaf. Undo brings it back.</source>
        <translation>Der Baum mit {leaves} sagt „{target}“ als Zahl vorher. Er wird verworfen, und ein neuer Baum beginnt als einziges Blatt. Rückgängig bringt ihn zurück.</translation>
    </message>
    <message>
        <source>&amp;Start a new tree</source>
        <translation>&amp;Neuen Baum beginnen</translation>
    </message>
    <message>
        <source>“{name}” was made on another table. Open it all the same?</source>
        <translation>„{name}“ wurde auf einer anderen Tabelle gemacht. Trotzdem öffnen?</translation>
    </message>
    <message>
        <source>… and {n} more differences.</source>
        <translation>… und {n} weitere Unterschiede.</translation>
    </message>
    <message>
        <source>Its figures are counted on this table. No file is changed until you save.</source>
        <translation>Seine Zahlen werden auf dieser Tabelle gezählt. Bis Sie speichern, wird keine Datei geändert.</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Look at the {n} test rows now?</source>
        <translation>Die {n} Testzeilen jetzt ansehen?</translation>
    </message>
    <message>
        <source>&amp;Look at the test rows</source>
        <translation>&amp;Testzeilen ansehen</translation>
    </message>
    <message>
        <source>Keep: the splits below stay wherever they still divide the rows that reach them.</source>
        <translation>Behalten: Die Teilungen darunter bleiben, wo sie die ankommenden Zeilen noch trennen.</translation>
    </message>
    <message>
        <source>Regrow: the new branches grow by the search options.</source>
        <translation>Neu wachsen: Die neuen Zweige wachsen nach den Suchoptionen.</translation>
    </message>
    <message>
        <source>Drop: the new branches are leaves.</source>
        <translation>Verwerfen: Die neuen Zweige sind Blätter.</translation>
    </message>
    <message>
        <source>{split}: what becomes of the {leaves} below?</source>
        <translation>{split}: Was wird aus den {leaves} darunter?</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>&amp;Regrow</source>
        <translation>Neu &amp;wachsen lassen</translation>
    </message>
    <message>
        <source>&amp;Drop</source>
        <translation>Ver&amp;werfen</translation>
    </message>
    <message>
        <source>Note on {node}</source>
        <translation>Notiz zu {node}</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>&amp;Write it</source>
        <translation>&amp;Schreiben</translation>
    </message>
    <message>
        <source>Ctrl+Enter writes it; an empty note is erased.</source>
        <translation>Strg+Eingabe schreibt sie; eine leere Notiz wird gelöscht.</translation>
    </message>
    <message>
        <source>What {node} predicts</source>
        <translation>Was {node} vorhersagt</translation>
    </message>
    <message>
        <source>Counted: {value} for “{target}”. Leave the field empty to predict that again.</source>
        <translation>Gezählt: {value} für „{target}“. Lassen Sie das Feld leer, um das wieder vorherzusagen.</translation>
    </message>
    <message>
        <source>What the leaf predicts of {target}</source>
        <translation>Was das Blatt für {target} vorhersagt</translation>
    </message>
    <message>
        <source>&amp;Set it</source>
        <translation>&amp;Setzen</translation>
    </message>
    <message>
        <source>It has to be a finite number.</source>
        <translation>Es muss eine endliche Zahl sein.</translation>
    </message>
    <message>
        <source>“{text}” is no number: write one like 12.5.</source>
        <translation>„{text}“ ist keine Zahl: Schreiben Sie eine wie 12.5.</translation>
    </message>
    <message>
        <source>Fold branches</source>
        <translation>Zweige einklappen</translation>
    </message>
    <message>
        <source>Fold the branches of nodes with fewer training rows than</source>
        <translation>Zweige von Knoten einklappen mit weniger Trainingszeilen als</translation>
    </message>
    <message>
        <source>&amp;Fold the branches of nodes with fewer training rows than</source>
        <translation>Zweige von Knoten &amp;einklappen mit weniger Trainingszeilen als</translation>
    </message>
    <message>
        <source>&amp;Fold them</source>
        <translation>&amp;Einklappen</translation>
    </message>
    <message>
        <source>The tree stays as it is: only the picture hides what is below them.</source>
        <translation>Der Baum bleibt, wie er ist: Nur das Bild verbirgt, was darunter ist.</translation>
    </message>
    <message>
        <source>All leaves shown: nothing would be folded</source>
        <translation>Alle Blätter gezeigt: Nichts würde eingeklappt</translation>
    </message>
    <message>
        <source>Open a tree of “{name}”</source>
        <translation>Einen Baum aus „{name}“ öffnen</translation>
    </message>
    <message>
        <source>&amp;Tree, from 0 to {last}</source>
        <translation>&amp;Baum, von 0 bis {last}</translation>
    </message>
    <message>
        <source>The file holds {n} trees, which predict together. One tree is opened; a note on its root says what its leaves mean.</source>
        <translation>Die Datei enthält {n} Bäume, die gemeinsam vorhersagen. Ein Baum wird geöffnet; eine Notiz an seiner Wurzel sagt, was seine Blätter bedeuten.</translation>
    </message>
    <message>
        <source>Find in the list</source>
        <translation>In der Liste suchen</translation>
    </message>
    <message>
        <source>Find… Enter ticks what is found</source>
        <translation>Suchen… Eingabe kreuzt das Gefundene an</translation>
    </message>
    <message>
        <source>You can change the answer later: Keep hand-made splits, in the Prune panel.</source>
        <translation>Die Antwort kann später geändert werden: Handgemachte Teilungen behalten, im Bereich Stutzen.</translation>
    </message>
    <message>
        <source>No panel, count or message has told of these rows since the file was opened, so their error is an honest figure for the tree on the screen. Once you have seen it, a tree that you choose or change afterwards has no honest figure. This cannot be undone: the project keeps how often you looked.</source>
        <translation>Kein Bereich, keine Anzahl und keine Meldung hat etwas von diesen Zeilen verraten, seit die Datei geöffnet wurde; ihr Fehler ist darum eine ehrliche Zahl für den Baum auf dem Bildschirm. Sobald Sie ihn gesehen haben, hat ein Baum, den Sie danach wählen oder ändern, keine ehrliche Zahl mehr. Das lässt sich nicht rückgängig machen: Das Projekt behält, wie oft Sie nachgesehen haben.</translation>
    </message>
    <message>
        <source>These rows were seen before they were kept for the test: panels showed them, and trees may have been grown on them. Their error is no honest figure. For one, open the file again and keep test rows from the start.</source>
        <translation>Diese Zeilen waren zu sehen, bevor sie für den Test zurückgehalten wurden: Bereiche haben sie gezeigt, und vielleicht sind Bäume auf ihnen gewachsen. Ihr Fehler ist keine ehrliche Zahl. Für eine solche öffnen Sie die Datei erneut und halten Testzeilen von Anfang an zurück.</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>that of</source>
        <translation>die Teilung nach</translation>
    </message>
    <message>
        <source>&amp;Set label</source>
        <translation>Vorhersage &amp;setzen</translation>
    </message>
    <message>
        <source>excluded at {node}</source>
        <translation>ausgeschlossen an {node}</translation>
    </message>
    <message>
        <source>Columns excluded below {node}</source>
        <translation>Unter {node} ausgeschlossene Spalten</translation>
    </message>
    <message>
        <source>The search does not use ticked columns at this node and below it.</source>
        <translation>Die Suche verwendet angekreuzte Spalten an diesem Knoten und darunter nicht.</translation>
    </message>
    <message>
        <source>&amp;Exclude</source>
        <translation>&amp;Ausschließen</translation>
    </message>
    <message>
        <source>As elsewhere</source>
        <translation>Wie sonst</translation>
    </message>
    <message>
        <source>Criterion at and below {node}</source>
        <translation>Kriterium an und unter {node}</translation>
    </message>
    <message>
        <source>&amp;Set criterion</source>
        <translation>&amp;Kriterium setzen</translation>
    </message>
    <message>
        <source>Locked columns</source>
        <translation>Gesperrte Spalten</translation>
    </message>
    <message>
        <source>No search uses ticked columns; existing splits stay.</source>
        <translation>Keine Suche verwendet angekreuzte Spalten; vorhandene Teilungen bleiben.</translation>
    </message>
    <message>
        <source>left out below {node}</source>
        <translation>unter {node} ausgeschlossen</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>Choose another tree in the panel Comparison first.</source>
        <translation>Wählen Sie zuerst einen anderen Baum im Bereich Vergleich.</translation>
    </message>
    <message>
        <source>Coloured by: {what}</source>
        <translation>Gefärbt nach: {what}</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>Färben &amp;nach</translation>
    </message>
    <message>
        <source>Cards &amp;show</source>
        <translation>Karten zei&amp;gen</translation>
    </message>
    <message>
        <source>R&amp;eset</source>
        <translation>Zurück&amp;setzen</translation>
    </message>
    <message>
        <source>Car&amp;ds, from top to bottom</source>
        <translation>K&amp;arten, von oben nach unten</translation>
    </message>
    <message>
        <source>Shows the tree from top to bottom, in cards</source>
        <translation>Zeigt den Baum von oben nach unten, in Karten</translation>
    </message>
    <message>
        <source>Cards, from top to bottom</source>
        <translation>Karten, von oben nach unten</translation>
    </message>
    <message>
        <source>Streams, from left to ri&amp;ght</source>
        <translation>&amp;Ströme, von links nach rechts</translation>
    </message>
    <message>
        <source>Shows the tree from left to right, in streams as wide as their rows</source>
        <translation>Zeigt den Baum von links nach rechts, in Strömen, die so breit sind wie ihre Zeilen</translation>
    </message>
    <message>
        <source>Streams, from left to right</source>
        <translation>Ströme, von links nach rechts</translation>
    </message>
    <message>
        <source>{does} ({key})</source>
        <translation>{does} ({key})</translation>
    </message>
    <message>
        <source>Unfolds all: shows the whole tree again (Shift+F)</source>
        <translation>Klappt alles aus: zeigt wieder den ganzen Baum (Umschalt+F)</translation>
    </message>
    <message>
        <source>Unfold all</source>
        <translation>Alles ausklappen</translation>
    </message>
    <message>
        <source>Levels shown</source>
        <translation>Gezeigte Ebenen</translation>
    </message>
    <message>
        <source>Levels shown: {levels} of {all} (D: one more, Shift+D: one fewer)</source>
        <translation>Gezeigte Ebenen: {levels} von {all} (D: eine mehr, Umschalt+D: eine weniger)</translation>
    </message>
    <message>
        <source>{all} levels</source>
        <translation>{all} Ebenen</translation>
    </message>
    <message>
        <source>{levels} of {all} levels</source>
        <translation>{levels} von {all} Ebenen</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Sho&amp;w panels</source>
        <translation>Bere&amp;iche zeigen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Ersc&amp;heinungsbild</translation>
    </message>
    <message>
        <source>Te&amp;xt size</source>
        <translation>Te&amp;xtgröße</translation>
    </message>
    <message>
        <source>Open &amp;example</source>
        <translation>B&amp;eispiel öffnen</translation>
    </message>
    <message>
        <source>&amp;Recent</source>
        <translation>Zuletzt &amp;geöffnet</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Choose later</source>
        <translation>Später wählen</translation>
    </message>
    <message>
        <source>postgres://user:password@host/name or sqlite:///folder/file.db</source>
        <translation>postgres://user:password@host/name oder sqlite:///folder/file.db</translation>
    </message>
    <message>
        <source>Rows with the same key are in the same part. The key must have a value in every row.</source>
        <translation>Zeilen mit demselben Schlüssel sind im selben Teil. Der Schlüssel muss in jeder Zeile einen Wert haben.</translation>
    </message>
    <message>
        <source>The rows of a database have no order. Without a key they cannot be divided, so all of them train.</source>
        <translation>Die Zeilen einer Datenbank haben keine Reihenfolge. Ohne Schlüssel können sie nicht aufgeteilt werden, also trainieren alle.</translation>
    </message>
    <message>
        <source>Nothing is copied: each look counts all rows in the database. What needs single rows is not offered.</source>
        <translation>Nichts wird kopiert: Jeder Blick zählt alle Zeilen in der Datenbank. Was einzelne Zeilen braucht, wird nicht angeboten.</translation>
    </message>
    <message>
        <source>Open database</source>
        <translation>Datenbank öffnen</translation>
    </message>
    <message>
        <source>The address of a database, or the path of a file of DuckDB or SQLite. Passwords are not saved.</source>
        <translation>Die Adresse einer Datenbank oder der Pfad einer Datei von DuckDB oder SQLite. Passwörter werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Address of the database</source>
        <translation>Adresse der Datenbank</translation>
    </message>
    <message>
        <source>The password of the user in the address. It is used to connect now, and is not saved.</source>
        <translation>Das Passwort des Benutzers in der Adresse. Es dient jetzt zum Verbinden und wird nicht gespeichert.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>Chooses the file of a database of DuckDB or SQLite</source>
        <translation>Wählt die Datei einer Datenbank von DuckDB oder SQLite</translation>
    </message>
    <message>
        <source>&amp;List tables</source>
        <translation>Tabellen au&amp;flisten</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Column to predict</source>
        <translation>Spalte, die vorhergesagt werden soll</translation>
    </message>
    <message>
        <source>Column whose values decide the part of a row</source>
        <translation>Spalte, deren Werte über den Teil einer Zeile entscheiden</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>Pass&amp;word</source>
        <translation>Pass&amp;wort</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>&amp;Tabelle</translation>
    </message>
    <message>
        <source>Tar&amp;get</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>&amp;Schlüssel</translation>
    </message>
    <message>
        <source>Type the password, unless the address has it or none is wanted, and list the tables.</source>
        <translation>Geben Sie das Passwort ein, falls eines verlangt wird und die Adresse es nicht enthält, und listen Sie die Tabellen auf.</translation>
    </message>
    <message>
        <source>Type the address of the database and list its tables.</source>
        <translation>Geben Sie die Adresse der Datenbank ein, und listen Sie ihre Tabellen auf.</translation>
    </message>
    <message>
        <source>Choose a table.</source>
        <translation>Wählen Sie eine Tabelle.</translation>
    </message>
    <message>
        <source>Databases ({suffixes})</source>
        <translation>Datenbanken ({suffixes})</translation>
    </message>
    <message>
        <source>Choose the file of a database</source>
        <translation>Datei einer Datenbank wählen</translation>
    </message>
    <message>
        <source>Listing the tables</source>
        <translation>Tabellen werden aufgelistet</translation>
    </message>
    <message>
        <source>The database has no tables that can be read.</source>
        <translation>Die Datenbank hat keine Tabellen, die gelesen werden können.</translation>
    </message>
    <message>
        <source>none: all rows train</source>
        <translation>keiner: alle Zeilen trainieren</translation>
    </message>
    <message>
        <source>The database wants a password: type it below the address.</source>
        <translation>Die Datenbank verlangt ein Passwort: Geben Sie es unter der Adresse ein.</translation>
    </message>
    <message>
        <source>Opening the table</source>
        <translation>Tabelle wird geöffnet</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Class in focus</source>
        <translation>Hervorgehobene Klasse</translation>
    </message>
    <message>
        <source>The tree is coloured by the rate of this class. It can be changed at any time.</source>
        <translation>Der Baum ist nach der Rate dieser Klasse gefärbt. Sie lässt sich jederzeit ändern.</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Zielspalte</translation>
    </message>
    <message>
        <source>&amp;Focus on</source>
        <translation>Hervor&amp;heben</translation>
    </message>
    <message>
        <source>The tree will predict this column from the others.</source>
        <translation>Der Baum sagt diese Spalte aus den anderen vorher.</translation>
    </message>
    <message>
        <source>A number: each leaf predicts a mean.</source>
        <translation>Eine Zahl: Jedes Blatt sagt einen Mittelwert vorher.</translation>
    </message>
    <message>
        <source>Classes seen in the first rows; there may be more.</source>
        <translation>Klassen in den ersten Zeilen; es kann mehr geben.</translation>
    </message>
    <message>
        <source>Comma  ,</source>
        <translation>Komma  ,</translation>
    </message>
    <message>
        <source>Semicolon  ;</source>
        <translation>Semikolon  ;</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tabulator</translation>
    </message>
    <message>
        <source>Bar  |</source>
        <translation>Strich  |</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leerzeichen</translation>
    </message>
    <message>
        <source>Point  1.5</source>
        <translation>Punkt  1.5</translation>
    </message>
    <message>
        <source>Comma  1,5</source>
        <translation>Komma  1,5</translation>
    </message>
    <message>
        <source>S&amp;heet</source>
        <translation>&amp;Tabellenblatt</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>Tabellenblatt</translation>
    </message>
    <message>
        <source>&amp;Delimiter</source>
        <translation>&amp;Trennzeichen</translation>
    </message>
    <message>
        <source>Delimiter</source>
        <translation>Trennzeichen</translation>
    </message>
    <message>
        <source>D&amp;ecimal mark</source>
        <translation>&amp;Dezimalzeichen</translation>
    </message>
    <message>
        <source>Decimal mark</source>
        <translation>Dezimalzeichen</translation>
    </message>
    <message>
        <source>E&amp;ncoding</source>
        <translation>&amp;Kodierung</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Kodierung</translation>
    </message>
    <message>
        <source>First &amp;row holds the names</source>
        <translation>Erste &amp;Zeile enthält die Namen</translation>
    </message>
    <message>
        <source>First row holds the names</source>
        <translation>Erste Zeile enthält die Namen</translation>
    </message>
    <message>
        <source>Words that stand for a missing value, separated by commas. Empty cells always do.</source>
        <translation>Wörter, die für einen fehlenden Wert stehen, durch Kommas getrennt. Leere Zellen tun es immer.</translation>
    </message>
    <message>
        <source>Missing values</source>
        <translation>Fehlende Werte</translation>
    </message>
    <message>
        <source>only empty cells</source>
        <translation>nur leere Zellen</translation>
    </message>
    <message>
        <source>Rows with the same “{key}” are all test rows or none. Validation rows are drawn one by one.</source>
        <translation>Zeilen mit gleichem „{key}“ sind alle Testzeilen oder keine davon. Validierungszeilen werden einzeln gezogen.</translation>
    </message>
    <message>
        <source>Rows with the same “{key}” are in the same part, validation rows too: where rows are counted, a key is a group.</source>
        <translation>Zeilen mit gleichem „{key}“ gehören zum selben Teil, auch Validierungszeilen: Wo Zeilen gezählt werden, ist ein Schlüssel eine Gruppe.</translation>
    </message>
    <message>
        <source>&amp;Missing values</source>
        <translation>&amp;Fehlende Werte</translation>
    </message>
    <message>
        <source>Ta&amp;ble</source>
        <translation>Ta&amp;belle</translation>
    </message>
    <message>
        <source>Open table</source>
        <translation>Tabelle öffnen</translation>
    </message>
    <message>
        <source>&amp;Open table</source>
        <translation>Tabelle ö&amp;ffnen</translation>
    </message>
    <message>
        <source>How it is read</source>
        <translation>Wie gelesen wird</translation>
    </message>
    <message>
        <source>What to predict</source>
        <translation>Was vorhergesagt wird</translation>
    </message>
    <message>
        <source>Parts of the rows</source>
        <translation>Teile der Zeilen</translation>
    </message>
    <message>
        <source>How the rows are held</source>
        <translation>Wie die Zeilen gehalten werden</translation>
    </message>
    <message>
        <source>Reading the first rows again…</source>
        <translation>Die ersten Zeilen werden noch einmal gelesen…</translation>
    </message>
    <message>
        <source>Opening the table…</source>
        <translation>Die Tabelle wird geöffnet…</translation>
    </message>
    <message>
        <source>Correct the reading first.</source>
        <translation>Berichtigen Sie zuerst, wie gelesen wird.</translation>
    </message>
    <message>
        <source>There are no rows to open: add some to the table, or correct how it is read.</source>
        <translation>Es gibt keine Zeilen zu öffnen: Fügen Sie der Tabelle welche hinzu, oder berichtigen Sie, wie sie gelesen wird.</translation>
    </message>
    <message>
        <source>… and {n} more.</source>
        <translation>… und {n} weitere.</translation>
    </message>
    <message>
        <source>The column “{column}” says which rows train, validate and test.</source>
        <translation>Die Spalte „{column}“ sagt, welche Zeilen trainieren, validieren und testen.</translation>
    </message>
    <message>
        <source>Reading the first rows</source>
        <translation>Die ersten Zeilen werden gelesen</translation>
    </message>
    <message>
        <source>Reading the levels of “{column}”</source>
        <translation>Die Ausprägungen von „{column}“ werden gelesen</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>{name} wird geöffnet</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>Chooses the class whose share colours the tree</source>
        <translation>Wählt die Klasse, deren Anteil den Baum färbt</translation>
    </message>
    <message>
        <source>Espalier speaks {language} after the next start.</source>
        <translation>Espalier spricht nach dem nächsten Start {language}.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Jetzt neu starten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Tree</source>
        <translation>&amp;Baum</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>&amp;Daten</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Grow at onc&amp;e</source>
        <translation>Auf e&amp;inmal wachsen lassen</translation>
    </message>
    <message>
        <source>Path and ro&amp;ws</source>
        <translation>Pfad un&amp;d Zeilen</translation>
    </message>
    <message>
        <source>Pru&amp;ne by</source>
        <translation>Stutzen &amp;nach</translation>
    </message>
    <message>
        <source>Branc&amp;h</source>
        <translation>Zw&amp;eig</translation>
    </message>
    <message>
        <source>&amp;Fold branches</source>
        <translation>Zweige einkla&amp;ppen</translation>
    </message>
    <message>
        <source>&amp;Mark</source>
        <translation>&amp;Markieren</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>A number; splits cut it at a threshold.</source>
        <translation>Eine Zahl; Teilungen trennen sie an einer Schwelle.</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>ganze Zahl</translation>
    </message>
    <message>
        <source>Integer</source>
        <translation>Ganze Zahl</translation>
    </message>
    <message>
        <source>A whole number; splits cut it at a threshold.</source>
        <translation>Eine ganze Zahl; Teilungen trennen sie an einer Schwelle.</translation>
    </message>
    <message>
        <source>category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Names without an order; splits sort them into groups.</source>
        <translation>Namen ohne Ordnung; Teilungen sortieren sie in Gruppen.</translation>
    </message>
    <message>
        <source>ordered</source>
        <translation>geordnet</translation>
    </message>
    <message>
        <source>Ordered</source>
        <translation>Geordnet</translation>
    </message>
    <message>
        <source>Names with an order; splits cut it between two levels.</source>
        <translation>Namen mit einer Ordnung; Teilungen trennen sie zwischen zwei Ausprägungen.</translation>
    </message>
    <message>
        <source>date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>A day or a point in time; splits cut it at a date.</source>
        <translation>Ein Tag oder ein Zeitpunkt; Teilungen trennen an einem Datum.</translation>
    </message>
    <message>
        <source>boolean</source>
        <translation>Wahrheitswert</translation>
    </message>
    <message>
        <source>Boolean</source>
        <translation>Wahrheitswert</translation>
    </message>
    <message>
        <source>True or false.</source>
        <translation>Wahr oder falsch.</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Zielspalte</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielspalte</translation>
    </message>
    <message>
        <source>What the tree predicts.</source>
        <translation>Was der Baum vorhersagt.</translation>
    </message>
    <message>
        <source>feature</source>
        <translation>Merkmal</translation>
    </message>
    <message>
        <source>Feature</source>
        <translation>Merkmal</translation>
    </message>
    <message>
        <source>Splits may use it.</source>
        <translation>Teilungen dürfen sie verwenden.</translation>
    </message>
    <message>
        <source>ignore</source>
        <translation>ignorieren</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>It stays in the table, and no split uses it.</source>
        <translation>Sie bleibt in der Tabelle, und keine Teilung verwendet sie.</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Rows of one value belong together: folds and test rows do not part them.</source>
        <translation>Zeilen mit demselben Wert gehören zusammen: Weder Teile der Kreuzvalidierung noch Testzeilen trennen sie.</translation>
    </message>
    <message>
        <source>key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Names a row: the same key is a test row in every file.</source>
        <translation>Benennt eine Zeile: Derselbe Schlüssel ist in jeder Datei eine Testzeile.</translation>
    </message>
    <message>
        <source>A class left empty weighs as much as its share of the training rows. Where all are filled in, any unit will do: 1 and 3 mean the same as 0.25 and 0.75.</source>
        <translation>Eine leer gelassene Klasse wiegt so viel wie ihr Anteil an den Trainingszeilen. Wo alle ausgefüllt sind, ist jede Einheit recht: 1 und 3 bedeuten dasselbe wie 0.25 und 0.75.</translation>
    </message>
    <message>
        <source>What a row of each class earns where it is acted on, and where it is not. Left empty: 0.</source>
        <translation>Was eine Zeile jeder Klasse bringt, wenn gehandelt wird und wenn nicht. Leer gelassen: 0.</translation>
    </message>
    <message>
        <source>Rows are the true classes, columns the predicted ones. A mistake left empty costs 1.</source>
        <translation>Zeilen sind die wahren Klassen, Spalten die vorhergesagten. Ein leer gelassener Fehler kostet 1.</translation>
    </message>
    <message>
        <source>It looks at single rows, which are only counted here.</source>
        <translation>Es betrachtet einzelne Zeilen, die hier nur gezählt werden.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>For example: {example}</source>
        <translation>Zum Beispiel: {example}</translation>
    </message>
    <message>
        <source>{option} as a table</source>
        <translation>{option} als Tabelle</translation>
    </message>
    <message>
        <source>&amp;Use them</source>
        <translation>Ver&amp;wenden</translation>
    </message>
    <message>
        <source>Cost by true and predicted class</source>
        <translation>Kosten nach wahrer und vorhergesagter Klasse</translation>
    </message>
    <message>
        <source>Weight by class</source>
        <translation>Gewicht nach Klasse</translation>
    </message>
    <message>
        <source>Profit by class</source>
        <translation>Ertrag je Klasse</translation>
    </message>
    <message>
        <source>predicted {name}</source>
        <translation>vorhergesagt {name}</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Act</source>
        <translation>Handeln</translation>
    </message>
    <message>
        <source>Do not act</source>
        <translation>Nicht handeln</translation>
    </message>
    <message>
        <source>Library: {name}; command line: {typed}</source>
        <translation>Bibliothek: {name}; Kommandozeile: {typed}</translation>
    </message>
    <message>
        <source>Reset to the default: {value}</source>
        <translation>Auf die Vorgabe zurücksetzen: {value}</translation>
    </message>
    <message>
        <source>Reset {option} to the default: {value}</source>
        <translation>{option} auf die Vorgabe zurücksetzen: {value}</translation>
    </message>
    <message>
        <source>Closes “{group}”</source>
        <translation>Schließt „{group}“</translation>
    </message>
    <message>
        <source>Opens “{group}”</source>
        <translation>Öffnet „{group}“</translation>
    </message>
    <message>
        <source>No matching options.</source>
        <translation>Keine passenden Optionen.</translation>
    </message>
    <message>
        <source>Find an option…</source>
        <translation>Option suchen…</translation>
    </message>
    <message>
        <source>Find a search option</source>
        <translation>Suchoption suchen</translation>
    </message>
    <message>
        <source>Resets all options to their defaults</source>
        <translation>Setzt alle Optionen auf ihre Vorgaben zurück</translation>
    </message>
    <message>
        <source>All defaults</source>
        <translation>Alles Vorgaben</translation>
    </message>
    <message>
        <source>Open a table: how its splits are searched will be set here.</source>
        <translation>Öffnen Sie eine Tabelle: Hier wird eingestellt, wie ihre Teilungen gesucht werden.</translation>
    </message>
    <message>
        <source>A sampling weight: how much each row counts beside the others; one column at most.</source>
        <translation>Ein Stichprobengewicht: wie viel jede Zeile neben den anderen zählt; höchstens eine Spalte.</translation>
    </message>
    <message>
        <source>frequency</source>
        <translation>Häufigkeit</translation>
    </message>
    <message>
        <source>Frequency</source>
        <translation>Häufigkeit</translation>
    </message>
    <message>
        <source>How many equal rows each row stands for, a whole number; one column at most.</source>
        <translation>Für wie viele gleiche Zeilen jede Zeile steht, eine ganze Zahl; höchstens eine Spalte.</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Says which rows train, validate and test; one column at most.</source>
        <translation>Sagt, welche Zeilen trainieren, validieren und testen; höchstens eine Spalte.</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>A feature that no search may use; splits that are made by it stay.</source>
        <translation>Ein Merkmal, das keine Suche verwenden darf; Teilungen, die damit gemacht sind, bleiben.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>PSI {psi}, without a test</source>
        <translation>PSI {psi}, ohne Test</translation>
    </message>
    <message>
        <source>no drift beyond chance</source>
        <translation>keine Verschiebung über den Zufall hinaus</translation>
    </message>
    <message>
        <source>drift too small to matter</source>
        <translation>Verschiebung unerheblich</translation>
    </message>
    <message>
        <source>moderate drift</source>
        <translation>mäßige Verschiebung</translation>
    </message>
    <message>
        <source>large drift</source>
        <translation>große Verschiebung</translation>
    </message>
    <message>
        <source>Population stability index: how far the distribution is from that of the training rows. Below 0.1 it is usually called stable, above 0.25 shifted</source>
        <translation>Population Stability Index: wie weit die Verteilung von der der Trainingszeilen entfernt ist. Unter 0.1 nennt man sie gewöhnlich stabil, über 0.25 verschoben</translation>
    </message>
    <message>
        <source>The leaves have other shares than in training: PSI {psi}. No test holds for them.</source>
        <translation>Die Blätter haben andere Anteile als im Training: PSI {psi}. Kein Test gilt für sie.</translation>
    </message>
    <message>
        <source>The leaves have the shares of training, but for chance (PSI {psi}; p {p}).</source>
        <translation>Die Blätter haben, bis auf Zufall, die Anteile des Trainings (PSI {psi}; p {p}).</translation>
    </message>
    <message>
        <source>The shares of the leaves have drifted since training, too little to matter (PSI {psi}; p {p}).</source>
        <translation>Die Anteile der Blätter haben sich seit dem Training verschoben, aber unerheblich (PSI {psi}; p {p}).</translation>
    </message>
    <message>
        <source>The shares of the leaves have drifted moderately since training (PSI {psi}; p {p}).</source>
        <translation>Die Anteile der Blätter haben sich seit dem Training mäßig verschoben (PSI {psi}; p {p}).</translation>
    </message>
    <message>
        <source>The shares of the leaves have drifted far from those of training (PSI {psi}; p {p}).</source>
        <translation>Die Anteile der Blätter haben sich weit von denen im Training entfernt (PSI {psi}; p {p}).</translation>
    </message>
    <message>
        <source>Act on {n} of the rows: all together are expected to earn {amount}.</source>
        <translation>Handeln Sie bei {n} der Zeilen: Alle zusammen bringen voraussichtlich {amount}.</translation>
    </message>
    <message>
        <source>{share} of the rows have a level of “{column}” that the tree does not know, such as “{value}”.</source>
        <translation>{share} der Zeilen haben eine Ausprägung von „{column}“, die der Baum nicht kennt, etwa „{value}“.</translation>
    </message>
    <message>
        <source>The tree is a single leaf: all rows reach it.</source>
        <translation>Der Baum ist ein einziges Blatt: Alle Zeilen erreichen es.</translation>
    </message>
    <message>
        <source>Leaf #{leaf} has {now} of the rows; it had {before}.</source>
        <translation>Blatt #{leaf} hat {now} der Zeilen; es hatte {before}.</translation>
    </message>
    <message>
        <source>not in the file; no split needs it</source>
        <translation>nicht in der Datei; keine Teilung braucht sie</translation>
    </message>
    <message>
        <source>“{value}” cannot be read as {kind}: taken for missing</source>
        <translation>„{value}“ lässt sich nicht als {kind} lesen: als fehlend behandelt</translation>
    </message>
    <message>
        <source>“{value}” is unknown to the tree: such rows go where each split sends other levels</source>
        <translation>„{value}“ ist dem Baum unbekannt: Solche Zeilen gehen dorthin, wohin jede Teilung andere Ausprägungen schickt</translation>
    </message>
    <message>
        <source>unknown levels count in the drift as one that training had no row of</source>
        <translation>unbekannte Ausprägungen zählen in der Verschiebung als eine, von der das Training keine Zeile hatte</translation>
    </message>
    <message>
        <source>no split asks it</source>
        <translation>keine Teilung fragt sie ab</translation>
    </message>
    <message>
        <source>How probable such a difference is by chance alone (chi-square test)</source>
        <translation>Wie wahrscheinlich ein solcher Unterschied durch Zufall allein ist (Chi-Quadrat-Test)</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>Rows without a value</source>
        <translation>Zeilen ohne Wert</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Rows with a level that the tree does not know</source>
        <translation>Zeilen mit einer Ausprägung, die der Baum nicht kennt</translation>
    </message>
    <message>
        <source>Other type</source>
        <translation>Andere Art</translation>
    </message>
    <message>
        <source>Rows whose value is of another type: taken for missing</source>
        <translation>Zeilen, deren Wert von anderer Art ist: als fehlend behandelt</translation>
    </message>
    <message>
        <source>Out of range</source>
        <translation>Außerhalb</translation>
    </message>
    <message>
        <source>Rows whose value is beyond those of the training rows</source>
        <translation>Zeilen, deren Wert jenseits der Werte der Trainingszeilen liegt</translation>
    </message>
    <message>
        <source>PSI</source>
        <translation>PSI</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>In training</source>
        <translation>Im Training</translation>
    </message>
    <message>
        <source>Share of the training rows that reach the leaf</source>
        <translation>Anteil der Trainingszeilen, die das Blatt erreichen</translation>
    </message>
    <message>
        <source>Difference of the two shares in percentage points</source>
        <translation>Unterschied der beiden Anteile in Prozentpunkten</translation>
    </message>
    <message>
        <source>How probable such a change of this leaf is by chance alone, times the number of leaves</source>
        <translation>Wie wahrscheinlich eine solche Änderung dieses Blattes durch Zufall allein ist, mal die Anzahl der Blätter</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlend</translation>
    </message>
    <message>
        <source>Distinct</source>
        <translation>Verschieden</translation>
    </message>
    <message>
        <source>How the rows spread over the values; coloured by class.</source>
        <translation>Wie sich die Zeilen über die Werte verteilen; gefärbt nach Klasse.</translation>
    </message>
    <message>
        <source>Click to change it.</source>
        <translation>Klicken Sie, um es zu ändern.</translation>
    </message>
    <message>
        <source>Rows without a value.</source>
        <translation>Zeilen ohne Wert.</translation>
    </message>
    <message>
        <source>Different values that occur.</source>
        <translation>Verschiedene Werte, die vorkommen.</translation>
    </message>
    <message>
        <source>1 different value</source>
        <translation>1 verschiedener Wert</translation>
    </message>
    <message>
        <source>{n} different values</source>
        <translation>{n} verschiedene Werte</translation>
    </message>
    <message>
        <source>{word}: {meaning}</source>
        <translation>{word}: {meaning}</translation>
    </message>
    <message>
        <source>1 feature</source>
        <translation>1 Merkmal</translation>
    </message>
    <message>
        <source>{n} features</source>
        <translation>{n} Merkmale</translation>
    </message>
    <message>
        <source>{columns}, {features}</source>
        <translation>{columns}, {features}</translation>
    </message>
    <message>
        <source>Looking at the columns</source>
        <translation>Die Spalten werden angesehen</translation>
    </message>
    <message>
        <source>First make another column the target.</source>
        <translation>Machen Sie zuerst eine andere Spalte zur Zielspalte.</translation>
    </message>
    <message>
        <source>Make it the &amp;target</source>
        <translation>Zur &amp;Zielspalte machen</translation>
    </message>
    <message>
        <source>&amp;Ignore it</source>
        <translation>&amp;Ignorieren</translation>
    </message>
    <message>
        <source>&amp;Use it as a feature</source>
        <translation>Als &amp;Merkmal verwenden</translation>
    </message>
    <message>
        <source>Un&amp;lock it</source>
        <translation>Ent&amp;sperren</translation>
    </message>
    <message>
        <source>&amp;Lock it</source>
        <translation>S&amp;perren</translation>
    </message>
    <message>
        <source>No search uses a locked column</source>
        <translation>Keine Suche verwendet eine gesperrte Spalte</translation>
    </message>
    <message>
        <source>Order of &amp;levels…</source>
        <translation>Ordnung der &amp;Ausprägungen…</translation>
    </message>
    <message>
        <source>Find a column…</source>
        <translation>Spalte suchen…</translation>
    </message>
    <message>
        <source>Find a column</source>
        <translation>Spalte suchen</translation>
    </message>
    <message>
        <source>Open a table: its columns will stand here, with their kinds, gaps and values.</source>
        <translation>Öffnen Sie eine Tabelle: Ihre Spalten stehen dann hier, mit ihren Arten, Lücken und Werten.</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Spalten der Tabelle</translation>
    </message>
    <message>
        <source>… and {n} more rows</source>
        <translation>… und {n} weitere Zeilen</translation>
    </message>
    <message>
        <source>unlock it first</source>
        <translation>entsperren Sie ihn zuerst</translation>
    </message>
    <message>
        <source>unlock it first (Shift+K)</source>
        <translation>entsperren Sie ihn zuerst (Umschalt+K)</translation>
    </message>
    <message>
        <source>unlock the column first</source>
        <translation>entsperren Sie zuerst die Spalte</translation>
    </message>
    <message>
        <source>unlock the column first (Ctrl+K)</source>
        <translation>entsperren Sie zuerst die Spalte (Strg+K)</translation>
    </message>
    <message>
        <source>include it again there first</source>
        <translation>lassen Sie sie dort zuerst wieder zu</translation>
    </message>
    <message>
        <source>include it again there first (X)</source>
        <translation>lassen Sie sie dort zuerst wieder zu (X)</translation>
    </message>
    <message>
        <source>This leaf cannot be merged: the branches beside it are split.</source>
        <translation>Dieses Blatt lässt sich nicht verbinden: Die Zweige daneben sind geteilt.</translation>
    </message>
    <message>
        <source>The tree has changed in the meantime: check the node and try again.</source>
        <translation>Der Baum hat sich inzwischen geändert: Prüfen Sie den Knoten, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Another tree was opened in the meantime: nothing was changed.</source>
        <translation>Inzwischen wurde ein anderer Baum geöffnet: Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Nothing to prune: all remaining splits are pinned or locked.</source>
        <translation>Nichts zu stutzen: Alle übrigen Teilungen sind angeheftet oder gesperrt.</translation>
    </message>
    <message>
        <source>½ entropy</source>
        <translation>½ Entropie</translation>
    </message>
    <message>
        <source>The promise is not literal: thresholds lie between values of this table, so the possible splits were not known before its rows were.</source>
        <translation>Das Versprechen gilt nicht wörtlich: Schwellen liegen zwischen Werten dieser Tabelle, die möglichen Teilungen waren also nicht vor ihren Zeilen bekannt.</translation>
    </message>
    <message>
        <source>The promise is literal where the levels of all columns were known before the rows were.</source>
        <translation>Das Versprechen gilt wörtlich, wo die Ausprägungen aller Spalten vor den Zeilen bekannt waren.</translation>
    </message>
    <message>
        <source>Rows without a value are divided among the leaves: their parts count here, and the code says nothing of them.</source>
        <translation>Zeilen ohne Wert werden auf die Blätter verteilt: Ihre Anteile zählen hier, und der Code sagt nichts über sie.</translation>
    </message>
    <message>
        <source>{bound}, which says nothing</source>
        <translation>{bound}, was nichts sagt</translation>
    </message>
    <message>
        <source>The tree is written in {blocks} blocks: one for each node, and one for the end. A block is one of {tests} splits, of {labels} classes, or the end: {block} bits. Together these are {bits} bits.</source>
        <translation>Der Baum ist in {blocks} Blöcken geschrieben: einem für jeden Knoten und einem für das Ende. Ein Block ist eine von {tests} Teilungen, von {labels} Klassen oder das Ende: {block} Bits. Zusammen sind das {bits} Bits.</translation>
    </message>
    <message>
        <source>Training error {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} rows)) = {bound}. With probability {sure} the true error is at most this.</source>
        <translation>Trainingsfehler {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} Zeilen)) = {bound}. Mit Wahrscheinlichkeit {sure} ist der wahre Fehler höchstens so groß.</translation>
    </message>
    <message>
        <source>Training error {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} rows)) = {bound}. No error is above 100 %: the bound says nothing for a tree of this size.</source>
        <translation>Trainingsfehler {error} + √(({bits} + ln(2/δ)) ÷ (2 · {m} Zeilen)) = {bound}. Kein Fehler ist größer als 100 %: Für einen Baum dieser Größe sagt die Schranke nichts.</translation>
    </message>
    <message>
        <source>Kraft’s inequality asks for bits · ln 2 only: {sharp}. The code that the program writes has {digits} digits: {code}.</source>
        <translation>Nach Krafts Ungleichung genügt Bits · ln 2: {sharp}. Der Code, den das Programm schreibt, hat {digits} Ziffern: {code}.</translation>
    </message>
    <message>
        <source>Of the prunings the one with {leaves} has the least bound, {bound}; its training error is {error}.</source>
        <translation>Von den gestutzten Bäumen hat der mit {leaves} die niedrigste Schranke, {bound}; sein Trainingsfehler ist {error}.</translation>
    </message>
    <message>
        <source>No pruning of the tree has a lower bound.</source>
        <translation>Kein gestutzter Baum hat eine niedrigere Schranke.</translation>
    </message>
    <message>
        <source>This promises nothing new: always predicting the same class errs on {root} of the training rows.</source>
        <translation>Das verspricht nichts Neues: Immer dieselbe Klasse vorherzusagen, irrt auf {root} der Trainingszeilen.</translation>
    </message>
    <message>
        <source>Below: the blocks of the code that the program writes; a split’s block has all that tells it from others.</source>
        <translation>Unten: die Blöcke des Codes, den das Programm schreibt; im Block einer Teilung steht alles, was sie von anderen unterscheidet.</translation>
    </message>
    <message>
        <source>The tree has splits that are not among those {tests}: several cuts, branches or conditions. So only the bound by the code that the program writes holds.</source>
        <translation>Der Baum hat Teilungen, die nicht zu diesen {tests} gehören: mehrere Schnitte, Zweige oder Bedingungen. Darum gilt nur die Schranke nach dem Code, den das Programm schreibt.</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>Schranke</translation>
    </message>
    <message>
        <source>training error</source>
        <translation>Trainingsfehler</translation>
    </message>
    <message>
        <source>validation error</source>
        <translation>Validierungsfehler</translation>
    </message>
    <message>
        <source>If a choice among n could take log₂ n bits</source>
        <translation>Wenn eine Wahl unter n genau log₂ n Bits kosten könnte</translation>
    </message>
    <message>
        <source>Digits</source>
        <translation>Ziffern</translation>
    </message>
    <message>
        <source>true error at most {bound}</source>
        <translation>wahrer Fehler höchstens {bound}</translation>
    </message>
    <message>
        <source>true error at most 100 %: the bound says nothing for a tree of this size</source>
        <translation>wahrer Fehler höchstens 100 %: Für einen Baum dieser Größe sagt die Schranke nichts</translation>
    </message>
    <message>
        <source>Error + √(size ÷ m) is least with {leaves}: {error} + √({size} ÷ {m}) = {sum}. The size counts leaves and splits, m training rows. The tree on the canvas has {own}.</source>
        <translation>Fehler + √(Größe ÷ m) ist am kleinsten mit {leaves}: {error} + √({size} ÷ {m}) = {sum}. Die Größe zählt Blätter und Teilungen, m die Trainingszeilen. Der Baum auf der Leinwand hat {own}.</translation>
    </message>
    <message>
        <source>Theorem 12.5 compares Kearns and Mansour’s pruning with the best pruning of this tree. In its place stands the one with fewest errors on the validation rows: s = {size} leaves and splits, depth ℓ = {depth}, m = {m} rows.</source>
        <translation>Satz 12.5 vergleicht das Stutzen nach Kearns und Mansour mit dem besten gestutzten Baum. An dessen Stelle steht der mit den wenigsten Fehlern auf den Validierungszeilen: s = {size} Blätter und Teilungen, Tiefe ℓ = {depth}, m = {m} Zeilen.</translation>
    </message>
    <message>
        <source>Theorem 12.5 compares Kearns and Mansour’s pruning with the best pruning of this tree. In its place stands the one of least structural risk: s = {size} leaves and splits, depth ℓ = {depth}, m = {m} rows.</source>
        <translation>Satz 12.5 vergleicht das Stutzen nach Kearns und Mansour mit dem besten gestutzten Baum. An dessen Stelle steht der mit dem kleinsten strukturellen Risiko: s = {size} Blätter und Teilungen, Tiefe ℓ = {depth}, m = {m} Zeilen.</translation>
    </message>
    <message>
        <source>With probability {sure} its true error is higher by at most {rare} at rare nodes, 12 s ln(s/δ) ÷ m, and {common} at the others, 6 √(s((1 + ℓ) ln n + ln(m/δ)) ℓ ÷ m) with ln n = {log}. Without constants it is {rate}.</source>
        <translation>Mit Wahrscheinlichkeit {sure} ist sein wahrer Fehler höchstens um {rare} höher an seltenen Knoten, 12 s ln(s/δ) ÷ m, und um {common} an den anderen, 6 √(s((1 + ℓ) ln n + ln(m/δ)) ℓ ÷ m) mit ln n = {log}. Ohne Konstanten sind es {rate}.</translation>
    </message>
    <message>
        <source>As no error is above 1, this promises nothing for so few rows.</source>
        <translation>Da kein Fehler über 1 liegt, verspricht das bei so wenigen Zeilen nichts.</translation>
    </message>
    <message>
        <source>With the factor √2 of the proof, splits of that pruning go: {n} of {all}. Over these the three summands of the proof are {first} (the leaf’s error may be off), {second} (α, what a leaf may err more) and {third} (the branch’s error may be off).</source>
        <translation>Mit dem Faktor √2 des Beweises gehen Teilungen dieses gestutzten Baumes: {n} von {all}. Über diesen sind die drei Summanden des Beweises {first} (der Fehler des Blattes kann daneben liegen), {second} (α, was ein Blatt mehr irren darf) und {third} (der Fehler des Zweigs kann daneben liegen).</translation>
    </message>
    <message>
        <source>With the factor √2 of the proof, no split of that pruning goes: nothing is lost.</source>
        <translation>Mit dem Faktor √2 des Beweises geht keine Teilung dieses gestutzten Baumes: Nichts ist verloren.</translation>
    </message>
    <message>
        <source>Below: λ is by how much the error of a node may be off (Lemma 12.2), α is what a branch has to save to stay, with the factor c = {factor} that pruning begins with.</source>
        <translation>Unten: λ ist, um wie viel der Fehler eines Knotens daneben liegen kann (Lemma 12.2), α, was ein Zweig ersparen muss, um zu bleiben, mit dem Faktor c = {factor}, mit dem das Stutzen beginnt.</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>penalty</source>
        <translation>Strafe</translation>
    </message>
    <message>
        <source>Edges from the root</source>
        <translation>Kanten von der Wurzel</translation>
    </message>
    <message>
        <source>Leaves and splits of what was left of the branch when its turn came</source>
        <translation>Blätter und Teilungen dessen, was vom Zweig noch übrig war, als er an der Reihe war</translation>
    </message>
    <message>
        <source>Training error of the node as a leaf</source>
        <translation>Trainingsfehler des Knotens als Blatt</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Zweig</translation>
    </message>
    <message>
        <source>Training error of what was left of its branches</source>
        <translation>Trainingsfehler dessen, was von seinen Zweigen übrig war</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>The split goes where the error of the branch and α are no less than the error of the leaf</source>
        <translation>Die Teilung geht, wo der Fehler des Zweigs und α nicht kleiner sind als der Fehler des Blattes</translation>
    </message>
    <message>
        <source>goes</source>
        <translation>geht</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>bleibt</translation>
    </message>
    <message>
        <source>least with {leaves}</source>
        <translation>am kleinsten mit {leaves}</translation>
    </message>
    <message>
        <source>Two classes are meant: “{name}”, and all others together.</source>
        <translation>Gemeint sind zwei Klassen: „{name}“ und alle anderen zusammen.</translation>
    </message>
    <message>
        <source>The tree has no split yet, so nothing is known of γ.</source>
        <translation>Der Baum hat noch keine Teilung, also ist von γ nichts bekannt.</translation>
    </message>
    <message>
        <source>no split yet</source>
        <translation>noch keine Teilung</translation>
    </message>
    <message>
        <source>Where both classes weigh the same, every split errs on at most ½ − γ of the rows, γ = {gamma}. The weakest one is {split}.</source>
        <translation>Wo beide Klassen gleich viel wiegen, irrt jede Teilung höchstens auf ½ − γ der Zeilen, γ = {gamma}. Die schwächste ist {split}.</translation>
    </message>
    <message>
        <source>No leaf errs, so nothing is left for Lemma 12.1.</source>
        <translation>Kein Blatt irrt, also bleibt nichts für Lemma 12.1.</translation>
    </message>
    <message>
        <source>The leaves err on {error} of the training rows. The leaf of Lemma 12.1 is {leaf}: it holds {share} of the rows (at least {least}, a third of the error by the number of splits) and errs on {own} of them (at least {third}, a third of the error).</source>
        <translation>Die Blätter irren auf {error} der Trainingszeilen. Das Blatt von Lemma 12.1 ist {leaf}: Es hält {share} der Zeilen (mindestens {least}, ein Drittel des Fehlers durch die Zahl der Teilungen) und irrt auf {own} davon (mindestens {third}, ein Drittel des Fehlers).</translation>
    </message>
    <message>
        <source>Splits that are enough for an error of {epsilon}, if every leaf had one with this γ:</source>
        <translation>Teilungen, die für einen Fehler von {epsilon} genügen, wenn jedes Blatt eine mit diesem γ hätte:</translation>
    </message>
    <message>
        <source>Gini, by the recurrence of the notes</source>
        <translation>Gini, nach der Rekursion der Vorlesung</translation>
    </message>
    <message>
        <source>{cost}: {n} by the recurrence, {formula} by the formula</source>
        <translation>{cost}: {n} nach der Rekursion, {formula} nach der Formel</translation>
    </message>
    <message>
        <source>{cost}: {formula} by the formula</source>
        <translation>{cost}: {formula} nach der Formel</translation>
    </message>
    <message>
        <source>The curve “promised” starts where the tree does and falls by what the best leaf must save with this γ. Nothing is known of leaves that the tree has not split: the hypothesis may fail there.</source>
        <translation>Die Kurve „versprochen“ beginnt, wo der Baum beginnt, und sinkt um das, was das beste Blatt mit diesem γ ersparen muss. Von Blättern, die der Baum nicht geteilt hat, ist nichts bekannt: Dort kann die Annahme versagen.</translation>
    </message>
    <message>
        <source>The drop of the notes, 16γ²[q(1 − q)]², holds for all three costs; “at least” is the sharpest bound for each.</source>
        <translation>Die Abnahme der Vorlesung, 16γ²[q(1 − q)]², gilt für alle drei Größen; „mindestens“ ist die schärfste Schranke für jede.</translation>
    </message>
    <message>
        <source>G of the tree</source>
        <translation>G des Baumes</translation>
    </message>
    <message>
        <source>promised</source>
        <translation>versprochen</translation>
    </message>
    <message>
        <source>by the notes’ recurrence</source>
        <translation>nach der Rekursion der Vorlesung</translation>
    </message>
    <message>
        <source>Share of the training weight</source>
        <translation>Anteil am Gewicht der Trainingszeilen</translation>
    </message>
    <message>
        <source>Share of “{name}” in the node</source>
        <translation>Anteil von „{name}“ im Knoten</translation>
    </message>
    <message>
        <source>The advantage of the split</source>
        <translation>Der Vorteil der Teilung</translation>
    </message>
    <message>
        <source>By how much the cost G of the node falls</source>
        <translation>Um wie viel die Größe G des Knotens sinkt</translation>
    </message>
    <message>
        <source>At least</source>
        <translation>Mindestens</translation>
    </message>
    <message>
        <source>By how much it must fall with this γ</source>
        <translation>Um wie viel sie mit diesem γ sinken muss</translation>
    </message>
    <message>
        <source>γ = {gamma}</source>
        <translation>γ = {gamma}</translation>
    </message>
    <message>
        <source>The leaves shatter {k} training rows: with one row in each, labelling the leaves gives all 2^{k} labellings. No {more} rows can be labelled in all ways by these splits.</source>
        <translation>Die Blätter zerlegen {k} Trainingszeilen: Mit einer Zeile in jedem gibt das Benennen der Blätter alle 2^{k} Benennungen. Keine {more} Zeilen lassen sich mit diesen Teilungen auf alle Arten benennen.</translation>
    </message>
    <message>
        <source>A single leaf shatters 1 training row; no 2 rows can be labelled in all ways by it.</source>
        <translation>Ein einzelnes Blatt zerlegt 1 Trainingszeile; keine 2 Zeilen lassen sich damit auf alle Arten benennen.</translation>
    </message>
    <message>
        <source>Trees of any size shatter all {kinds} training rows that differ in some column: without a limit the VC dimension has none.</source>
        <translation>Bäume jeder Größe zerlegen alle {kinds} Trainingszeilen, die sich in einer Spalte unterscheiden: Ohne Grenze hat auch die VC-Dimension keine.</translation>
    </message>
    <message>
        <source>All {d} columns have two values: a tree that asks everything has 2^{d} = {cells} leaves, and so large is the VC dimension of all trees.</source>
        <translation>Alle {d} Spalten haben zwei Werte: Ein Baum, der alles fragt, hat 2^{d} = {cells} Blätter, und so groß ist die VC-Dimension aller Bäume.</translation>
    </message>
    <message>
        <source>A tree that asks everything has {cells} leaves, one for each combination of values.</source>
        <translation>Ein Baum, der alles fragt, hat {cells} Blätter, eines für jede Kombination der Werte.</translation>
    </message>
    <message>
        <source>The tree has T = {layers} levels, and so at most 2^(T − 1) = {most} leaves if splits have two branches. The VC dimension of a single split is at most {single}, of trees with as many splits at most {trees}.</source>
        <translation>Der Baum hat T = {layers} Ebenen, also höchstens 2^(T − 1) = {most} Blätter, wenn Teilungen zwei Zweige haben. Die VC-Dimension einer einzelnen Teilung ist höchstens {single}, die von Bäumen mit so vielen Teilungen höchstens {trees}.</translation>
    </message>
    <message>
        <source>{tests} different splits make about {trees} trees with as many leaves.</source>
        <translation>{tests} verschiedene Teilungen ergeben etwa {trees} Bäume mit so vielen Blättern.</translation>
    </message>
    <message>
        <source>Trees of depth {depth} at most: {n}</source>
        <translation>Bäume mit höchstens Tiefe {depth}: {n}</translation>
    </message>
    <message>
        <source>With probability {sure}</source>
        <translation>Mit Wahrscheinlichkeit {sure}</translation>
    </message>
    <message>
        <source>Rows asked for</source>
        <translation>Verlangte Zeilen</translation>
    </message>
    <message>
        <source>Training rows that the bound asks for</source>
        <translation>Trainingszeilen, die die Schranke verlangt</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Tatsächlich</translation>
    </message>
    <message>
        <source>The training rows of this table, as a share of those that are asked for</source>
        <translation>Die Trainingszeilen dieser Tabelle als Anteil der verlangten</translation>
    </message>
    <message>
        <source>The description adds at most {epsilon} to the training error</source>
        <translation>Die Beschreibung fügt dem Trainingsfehler höchstens {epsilon} hinzu</translation>
    </message>
    <message>
        <source>No tree with as many splits has a training error off by more than {epsilon}</source>
        <translation>Bei keinem Baum mit so vielen Teilungen liegt der Trainingsfehler um mehr als {epsilon} daneben</translation>
    </message>
    <message>
        <source>One of them without training errors errs on at most {epsilon}</source>
        <translation>Einer davon ohne Trainingsfehler irrt höchstens auf {epsilon}</translation>
    </message>
    <message>
        <source>The same with thresholds anywhere, by the VC dimension</source>
        <translation>Dasselbe mit Schwellen an beliebiger Stelle, nach der VC-Dimension</translation>
    </message>
    <message>
        <source>The bounds are for the worst case: in practice far fewer rows do.</source>
        <translation>Die Schranken gelten für den schlimmsten Fall: In der Praxis genügen weit weniger Zeilen.</translation>
    </message>
    <message>
        <source>{k} rows are shattered</source>
        <translation>{k} Zeilen werden zerlegt</translation>
    </message>
    <message>
        <source>1 row is shattered</source>
        <translation>1 Zeile wird zerlegt</translation>
    </message>
    <message>
        <source>the root</source>
        <translation>die Wurzel</translation>
    </message>
    <message>
        <source>Weak learning</source>
        <translation>Schwaches Lernen</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>Zählen</translation>
    </message>
    <message>
        <source>The root</source>
        <translation>Die Wurzel</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Search options</source>
        <translation>Suchoptionen</translation>
    </message>
    <message>
        <source>Split and why</source>
        <translation>Teilung und Warum</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Judge</source>
        <translation>Beurteilen</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>Wichtigkeit</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Resampling</source>
        <translation>Resampling</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>Plane</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Theory</source>
        <translation>Theorie</translation>
    </message>
    <message>
        <source>Printout</source>
        <translation>Ausdruck</translation>
    </message>
    <message>
        <source>Training rows in the leaf</source>
        <translation>Trainingszeilen im Blatt</translation>
    </message>
    <message>
        <source>The weight of the training rows in the leaf</source>
        <translation>Das Gewicht der Trainingszeilen im Blatt</translation>
    </message>
    <message>
        <source>Share of all training rows that are in the leaf</source>
        <translation>Anteil aller Trainingszeilen, die im Blatt sind</translation>
    </message>
    <message>
        <source>How probable so great a difference of training and validation rows is by chance, adjusted for all leaves listed: where it is small, the leaf does not hold on other rows</source>
        <translation>Wie wahrscheinlich ein so großer Unterschied zwischen Trainings- und Validierungszeilen durch Zufall ist, angepasst für alle aufgeführten Blätter: Wo der Wert klein ist, hält das Blatt auf anderen Zeilen nicht</translation>
    </message>
    <message>
        <source>Share of all rows of “{focus}” that are in the leaf</source>
        <translation>Anteil aller Zeilen von „{focus}“, die im Blatt sind</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Share of “{focus}” in the leaf ÷ its share in all rows: 2 is twice as many as on average</source>
        <translation>Anteil von „{focus}“ im Blatt ÷ Anteil in allen Zeilen: 2 ist doppelt so viel wie im Durchschnitt</translation>
    </message>
    <message>
        <source>Cumulative share</source>
        <translation>Kumul. Anteil</translation>
    </message>
    <message>
        <source>Share of all rows that are in this leaf and in all that give “{focus}” a higher probability</source>
        <translation>Anteil aller Zeilen, die in diesem Blatt sind und in allen, die „{focus}“ eine höhere Wahrscheinlichkeit geben</translation>
    </message>
    <message>
        <source>Cumulative gain</source>
        <translation>Kumul. Gewinn</translation>
    </message>
    <message>
        <source>Share of all rows of “{focus}” that are in these leaves</source>
        <translation>Anteil aller Zeilen von „{focus}“, die in diesen Blättern sind</translation>
    </message>
    <message>
        <source>Cumulative response</source>
        <translation>Kumul. Trefferanteil</translation>
    </message>
    <message>
        <source>Share of “{focus}” in these leaves</source>
        <translation>Anteil von „{focus}“ in diesen Blättern</translation>
    </message>
    <message>
        <source>Cumulative index</source>
        <translation>Kumul. Index</translation>
    </message>
    <message>
        <source>Share of “{focus}” in these leaves ÷ its share in all rows</source>
        <translation>Anteil von „{focus}“ in diesen Blättern ÷ Anteil in allen Zeilen</translation>
    </message>
    <message>
        <source>Mean cost of a row in the leaf</source>
        <translation>Mittlere Kosten einer Zeile im Blatt</translation>
    </message>
    <message>
        <source>Mean of the training rows in the leaf</source>
        <translation>Mittelwert der Trainingszeilen im Blatt</translation>
    </message>
    <message>
        <source>SD</source>
        <translation>SD</translation>
    </message>
    <message>
        <source>Standard deviation of the training rows in the leaf</source>
        <translation>Standardabweichung der Trainingszeilen im Blatt</translation>
    </message>
    <message>
        <source>Share of all rows that are in this leaf and in all that predict more</source>
        <translation>Anteil aller Zeilen, die in diesem Blatt sind und in allen, die mehr vorhersagen</translation>
    </message>
    <message>
        <source>Cumulative mean</source>
        <translation>Kumul. Mittelwert</translation>
    </message>
    <message>
        <source>Mean of the rows in these leaves</source>
        <translation>Mittelwert der Zeilen in diesen Blättern</translation>
    </message>
    <message>
        <source>Share of this class in the leaf, by which it stands beside the others</source>
        <translation>Anteil dieser Klasse im Blatt, mit dem es neben den anderen steht</translation>
    </message>
    <message>
        <source>The same of the validation rows</source>
        <translation>Dasselbe von den Validierungszeilen</translation>
    </message>
    <message>
        <source>Validation {what}</source>
        <translation>Validierung: {what}</translation>
    </message>
    <message>
        <source>What the leaf predicts</source>
        <translation>Was das Blatt vorhersagt</translation>
    </message>
    <message>
        <source>The probability of “{focus}” in the leaf, by which the leaves are in order</source>
        <translation>Die Wahrscheinlichkeit von „{focus}“ im Blatt, nach der die Blätter geordnet sind</translation>
    </message>
    <message>
        <source>{leaves} below {place}</source>
        <translation>{leaves} unter {place}</translation>
    </message>
    <message>
        <source>{n} differ on validation rows</source>
        <translation>{n} weichen auf den Validierungszeilen ab</translation>
    </message>
    <message>
        <source>1 differs on validation rows</source>
        <translation>1 weicht auf den Validierungszeilen ab</translation>
    </message>
    <message>
        <source>highest share of “{name}” first</source>
        <translation>höchster Anteil von „{name}“ zuerst</translation>
    </message>
    <message>
        <source>highest prediction first</source>
        <translation>höchste Vorhersage zuerst</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>Alle Zeilen</translation>
    </message>
    <message>
        <source>The number of the leaf</source>
        <translation>Die Nummer des Blattes</translation>
    </message>
    <message>
        <source>Which rows are in the leaf; sorted as in the tree</source>
        <translation>Welche Zeilen im Blatt sind; sortiert wie im Baum</translation>
    </message>
    <message>
        <source>p = {p} for this leaf alone</source>
        <translation>p = {p} für dieses Blatt allein</translation>
    </message>
    <message>
        <source>{n} of {rows}</source>
        <translation>{n} von {rows}</translation>
    </message>
    <message>
        <source>All leaves of the tree, or those below the inner node that was selected last</source>
        <translation>Alle Blätter des Baumes, oder die unter dem zuletzt ausgewählten inneren Knoten</translation>
    </message>
    <message>
        <source>Which leaves are listed</source>
        <translation>Welche Blätter aufgeführt sind</translation>
    </message>
    <message>
        <source>Whole tree</source>
        <translation>Ganzer Baum</translation>
    </message>
    <message>
        <source>Selected branch</source>
        <translation>Ausgewählter Zweig</translation>
    </message>
    <message>
        <source>Copies the leaves that are selected, or all, for a spreadsheet</source>
        <translation>Kopiert die ausgewählten Blätter, oder alle, für eine Tabellenkalkulation</translation>
    </message>
    <message>
        <source>Writes all leaves listed, with all their figures, as CSV, Excel workbook or Parquet</source>
        <translation>Schreibt alle aufgeführten Blätter, mit allen ihren Zahlen, als CSV, Excel-Arbeitsmappe oder Parquet</translation>
    </message>
    <message>
        <source>Open a table: here all leaves of the tree stand in one table.</source>
        <translation>Öffnen Sie eine Tabelle: Hier stehen alle Blätter des Baumes in einer Tabelle.</translation>
    </message>
    <message>
        <source>Listing the leaves</source>
        <translation>Die Blätter werden aufgeführt</translation>
    </message>
    <message>
        <source>training error {figure}</source>
        <translation>Trainingsfehler {figure}</translation>
    </message>
    <message>
        <source>{n} branches</source>
        <translation>{n} Zweige</translation>
    </message>
    <message>
        <source>leaf</source>
        <translation>Blatt</translation>
    </message>
    <message>
        <source>Median of the target over the training rows</source>
        <translation>Median der Zielspalte über die Trainingszeilen</translation>
    </message>
    <message>
        <source>Mean of the target over the training rows</source>
        <translation>Mittelwert der Zielspalte über die Trainingszeilen</translation>
    </message>
    <message>
        <source>Training rows in the node</source>
        <translation>Trainingszeilen im Knoten</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Standard deviation of the target over the training rows</source>
        <translation>Standardabweichung der Zielspalte über die Trainingszeilen</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>The class of least expected cost, by the costs and priors of the leaves</source>
        <translation>Die Klasse mit den kleinsten erwarteten Kosten, nach den Kosten und A-priori-Anteilen der Blätter</translation>
    </message>
    <message>
        <source>Majority</source>
        <translation>Mehrheit</translation>
    </message>
    <message>
        <source>The class most frequent in the training rows</source>
        <translation>Die häufigste Klasse in den Trainingszeilen</translation>
    </message>
    <message>
        <source>Share of “{name}” among the training rows</source>
        <translation>Anteil von „{name}“ an den Trainingszeilen</translation>
    </message>
    <message>
        <source>{error} on the training rows of this node, with the branches that it has now</source>
        <translation>{error} auf den Trainingszeilen dieses Knotens, mit den Zweigen, die er jetzt hat</translation>
    </message>
    <message>
        <source>{error} on the validation rows of this node, with the branches that it has now</source>
        <translation>{error} auf den Validierungszeilen dieses Knotens, mit den Zweigen, die er jetzt hat</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>How the node is reached from the node above it</source>
        <translation>Wie man vom Knoten darüber zu diesem Knoten kommt</translation>
    </message>
    <message>
        <source>Outline of the tree</source>
        <translation>Gliederung des Baumes</translation>
    </message>
    <message>
        <source>Open a table: its tree will stand here as a list.</source>
        <translation>Öffnen Sie eine Tabelle: Ihr Baum steht dann hier als Liste.</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>What is shown here</source>
        <translation>Was hier gezeigt wird</translation>
    </message>
    <message>
        <source>Back to its place (Esc)</source>
        <translation>Zurück an seinen Platz (Esc)</translation>
    </message>
    <message>
        <source>Give it the whole middle</source>
        <translation>Die ganze Mitte geben</translation>
    </message>
    <message>
        <source>Shows or hides “{place}”</source>
        <translation>Zeigt oder verbirgt „{place}“</translation>
    </message>
    <message>
        <source>Back to the tree</source>
        <translation>Zurück zum Baum</translation>
    </message>
    <message>
        <source>Whole middle</source>
        <translation>Ganze Mitte</translation>
    </message>
    <message>
        <source>{column}: {n} branches</source>
        <translation>{column}: {n} Zweige</translation>
    </message>
    <message>
        <source>node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>known from the rows, not from counts</source>
        <translation>aus den Zeilen bekannt, nicht aus Zahlen</translation>
    </message>
    <message>
        <source>Σ share · impurity over {n} branches</source>
        <translation>Σ Anteil · Unreinheit über {n} Zweige</translation>
    </message>
    <message>
        <source>share of the class in the first branch</source>
        <translation>Anteil der Klasse im ersten Zweig</translation>
    </message>
    <message>
        <source>share of the class in the node</source>
        <translation>Anteil der Klasse im Knoten</translation>
    </message>
    <message>
        <source>share of the class in the second branch</source>
        <translation>Anteil der Klasse im zweiten Zweig</translation>
    </message>
    <message>
        <source>A node of two classes, of which one has the share q, and its two branches, where it has the shares p and r; q lies between them. The drop is how far the chord lies below the curve.</source>
        <translation>Ein Knoten mit zwei Klassen, von denen eine den Anteil q hat, und seine zwei Zweige, in denen sie die Anteile p und r hat; q liegt dazwischen. Der Abfall ist, wie weit die Sehne unter der Kurve liegt.</translation>
    </message>
    <message>
        <source>Impurity of any p, q and r</source>
        <translation>Unreinheit für beliebige p, q und r</translation>
    </message>
    <message>
        <source>The drop by each criterion</source>
        <translation>Der Abfall nach jedem Kriterium</translation>
    </message>
    <message>
        <source>&amp;Export the figure…</source>
        <translation>Schaubild &amp;exportieren…</translation>
    </message>
    <message>
        <source>Impurity of the node</source>
        <translation>Unreinheit des Knotens</translation>
    </message>
    <message>
        <source>Impurity of the first branch</source>
        <translation>Unreinheit des ersten Zweiges</translation>
    </message>
    <message>
        <source>Impurity of the second branch</source>
        <translation>Unreinheit des zweiten Zweiges</translation>
    </message>
    <message>
        <source>branches</source>
        <translation>Zweige</translation>
    </message>
    <message>
        <source>Mean impurity of the branches, each by its share of the rows</source>
        <translation>Mittlere Unreinheit der Zweige, jeder nach seinem Anteil an den Zeilen</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>Abfall</translation>
    </message>
    <message>
        <source>Impurity of the node less that of the branches</source>
        <translation>Unreinheit des Knotens weniger die der Zweige</translation>
    </message>
    <message>
        <source>{first} of the rows go into the branch p, {second} into r.</source>
        <translation>{first} der Zeilen gehen in den Zweig p, {second} in r.</translation>
    </message>
    <message>
        <source>of the rows that have the value, times their share</source>
        <translation>bei den Zeilen mit Wert, mal deren Anteil</translation>
    </message>
    <message>
        <source>split info</source>
        <translation>Split-Info</translation>
    </message>
    <message>
        <source>gain ratio</source>
        <translation>Gewinnverhältnis</translation>
    </message>
    <message>
        <source>bits of the sizes, missing rows apart</source>
        <translation>Bits der Größen, fehlende Zeilen für sich</translation>
    </message>
    <message>
        <source>bits of the sizes</source>
        <translation>Bits der Größen</translation>
    </message>
    <message>
        <source>less penalty</source>
        <translation>ohne Abzug</translation>
    </message>
    <message>
        <source>{terms}, log₂ of the cuts ÷ rows</source>
        <translation>{terms}, log₂ der Schnitte ÷ Zeilen</translation>
    </message>
    <message>
        <source>{n} effective rows</source>
        <translation>{n} wirksame Zeilen</translation>
    </message>
    <message>
        <source>{n} degrees of freedom, {rows}</source>
        <translation>{n} Freiheitsgrade, {rows}</translation>
    </message>
    <message>
        <source>1 degree of freedom, {rows}</source>
        <translation>1 Freiheitsgrad, {rows}</translation>
    </message>
    <message>
        <source>test: {test}</source>
        <translation>Test: {test}</translation>
    </message>
    <message>
        <source>for this one split alone</source>
        <translation>für diese eine Teilung allein</translation>
    </message>
    <message>
        <source>adjusted p</source>
        <translation>angepasstes p</translation>
    </message>
    <message>
        <source>−log₁₀ of it</source>
        <translation>−log₁₀ davon</translation>
    </message>
    <message>
        <source>Each branch stands at its mean on the curve: the node&apos;s variance less the squared distance from its mean. The chord lies below the top by the mean of those squares: the drop. What is left is inside the branches.</source>
        <translation>Jeder Zweig steht an seinem Mittelwert auf der Kurve: die Varianz des Knotens weniger das Quadrat des Abstands von seinem Mittelwert. Die Sehne liegt um das Mittel dieser Quadrate unter dem Scheitel: der Abfall. Was bleibt, liegt in den Zweigen.</translation>
    </message>
    <message>
        <source>{before} wrong rows before, {after} after</source>
        <translation>{before} falsche Zeilen vorher, {after} nachher</translation>
    </message>
    <message>
        <source>wrong weight {before} before, {after} after</source>
        <translation>falsches Gewicht {before} vorher, {after} nachher</translation>
    </message>
    <message>
        <source>The training error sees nothing: “{label}” stays the label, {errors}.</source>
        <translation>Der Trainingsfehler sieht nichts: „{label}“ bleibt die Vorhersage, {errors}.</translation>
    </message>
    <message>
        <source>The training error sees this split, too: not every branch says “{label}”, {errors}.</source>
        <translation>Auch der Trainingsfehler sieht diese Teilung: Nicht jeder Zweig sagt „{label}“ vorher, {errors}.</translation>
    </message>
    <message>
        <source>The training error sees nothing: {shares} lie on one side of ½, where its curve is straight, so chord and curve are one ({errors}).</source>
        <translation>Der Trainingsfehler sieht nichts: {shares} liegen auf einer Seite von ½, wo seine Kurve gerade ist, also sind Sehne und Kurve eins ({errors}).</translation>
    </message>
    <message>
        <source>{shares}: on both sides of ½, where the training error has its kink, so it sees the split, too ({errors}).</source>
        <translation>{shares}: auf beiden Seiten von ½, wo der Trainingsfehler seinen Knick hat; also sieht auch er die Teilung ({errors}).</translation>
    </message>
    <message>
        <source>the class shares of the node</source>
        <translation>die Klassenanteile des Knotens</translation>
    </message>
    <message>
        <source>{share} “{label}”</source>
        <translation>{share} „{label}“</translation>
    </message>
    <message>
        <source>No criterion sees a gain: all rows go into one branch, which keeps {share}.</source>
        <translation>Kein Kriterium sieht einen Gewinn: Alle Zeilen gehen in einen Zweig, der {share} behält.</translation>
    </message>
    <message>
        <source>No criterion sees a gain: both branches keep {share}.</source>
        <translation>Kein Kriterium sieht einen Gewinn: Beide Zweige behalten {share}.</translation>
    </message>
    <message>
        <source>No criterion sees a gain: all {n} branches keep {share}.</source>
        <translation>Kein Kriterium sieht einen Gewinn: Alle {n} Zweige behalten {share}.</translation>
    </message>
    <message>
        <source>{criterion} falls by {drop}: its curve bends everywhere.</source>
        <translation>{criterion} fällt um {drop}: Seine Kurve ist überall gekrümmt.</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (best of {column})</source>
        <translation>Ersetzen: {old} durch {split} (beste von {column})</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (best of {column}, branches kept)</source>
        <translation>Ersetzen: {old} durch {split} (beste von {column}, Zweige behalten)</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (best of {column}, branches regrown)</source>
        <translation>Ersetzen: {old} durch {split} (beste von {column}, Zweige neu gewachsen)</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (by hand)</source>
        <translation>Ersetzen: {old} durch {split} (von Hand)</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (by hand, branches kept)</source>
        <translation>Ersetzen: {old} durch {split} (von Hand, Zweige behalten)</translation>
    </message>
    <message>
        <source>Replace {old} by {split} (by hand, branches regrown)</source>
        <translation>Ersetzen: {old} durch {split} (von Hand, Zweige neu gewachsen)</translation>
    </message>
    <message>
        <source>Merge “{name} {one}” and “{two}”</source>
        <translation>„{name} {one}“ und „{two}“ verbinden</translation>
    </message>
    <message>
        <source>Paste a branch of {leaves} at {node}</source>
        <translation>Einen Zweig mit {leaves} an {node} einfügen</translation>
    </message>
    <message>
        <source>1 of the copied splits divides no training rows here and was omitted.</source>
        <translation>1 der kopierten Teilungen trennt hier keine Trainingszeilen und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>{n} of the copied splits divide no training rows here and were omitted.</source>
        <translation>{n} der kopierten Teilungen trennen hier keine Trainingszeilen und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>Prune the weakest split, by “{column}”</source>
        <translation>Schwächste Teilung stutzen, nach „{column}“</translation>
    </message>
    <message>
        <source>Remove the note of {node}</source>
        <translation>Notiz von {node} entfernen</translation>
    </message>
    <message>
        <source>Change the note of {node}</source>
        <translation>Notiz von {node} ändern</translation>
    </message>
    <message>
        <source>Write the note of {node}</source>
        <translation>Notiz von {node} schreiben</translation>
    </message>
    <message>
        <source>Pin {node}</source>
        <translation>Anheften: {node}</translation>
    </message>
    <message>
        <source>Unpin {node}</source>
        <translation>Lösen: {node}</translation>
    </message>
    <message>
        <source>Lock {node}</source>
        <translation>Sperren: {node}</translation>
    </message>
    <message>
        <source>Unlock {node}</source>
        <translation>Entsperren: {node}</translation>
    </message>
    <message>
        <source>Reset leaf label at {node}</source>
        <translation>Vorhersage des Blattes {node} zurücksetzen</translation>
    </message>
    <message>
        <source>Set leaf label “{label}” at {node}</source>
        <translation>Vorhersage „{label}“ an {node} setzen</translation>
    </message>
    <message>
        <source>Reset the criterion below {node}</source>
        <translation>Kriterium unter {node} zurücksetzen</translation>
    </message>
    <message>
        <source>Search by {criterion} below {node}</source>
        <translation>Unter {node} nach {criterion} suchen</translation>
    </message>
    <message>
        <source>The tree has changed in the meantime, and the node is gone. Its note would have been: {note}</source>
        <translation>Der Baum hat sich inzwischen geändert, und der Knoten ist weg. Seine Notiz wäre gewesen: {note}</translation>
    </message>
    <message>
        <source>The tree has changed in the meantime, and the node is gone: nothing was changed.</source>
        <translation>Der Baum hat sich inzwischen geändert, und der Knoten ist weg: Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Exclude {columns} below {node}</source>
        <translation>Ausschließen: {columns} unter {node}</translation>
    </message>
    <message>
        <source>Include {columns} again below {node}</source>
        <translation>Wieder zulassen: {columns} unter {node}</translation>
    </message>
    <message>
        <source>Exclude {excluded} and include {included} again below {node}</source>
        <translation>Ausschließen: {excluded} unter {node}; wieder zulassen: {included}</translation>
    </message>
    <message>
        <source>{columns} is locked: no search uses it from now on.</source>
        <translation>{columns} ist gesperrt: Von jetzt an verwendet sie keine Suche.</translation>
    </message>
    <message>
        <source>{columns} are locked: no search uses them from now on.</source>
        <translation>{columns} sind gesperrt: Von jetzt an verwendet sie keine Suche.</translation>
    </message>
    <message>
        <source>{columns} is unlocked.</source>
        <translation>{columns} ist entsperrt.</translation>
    </message>
    <message>
        <source>{columns} are unlocked.</source>
        <translation>{columns} sind entsperrt.</translation>
    </message>
    <message>
        <source>Replace {old} by {split}</source>
        <translation>Ersetzen: {old} durch {split}</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
    <message>
        <source>{columns} and {n} more columns</source>
        <translation>{columns} und {n} weitere Spalten</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message>
        <source>Split {node} by {split} (by hand, read as {kind})</source>
        <translation>Teilung: {node} nach {split} (von Hand, als {kind} gelesen)</translation>
    </message>
    <message>
        <source>Split {node} by {split} (by hand)</source>
        <translation>Teilung: {node} nach {split} (von Hand)</translation>
    </message>
    <message>
        <source>Split {leaves} (best anywhere)</source>
        <translation>Teilung: {leaves} (beste irgendwo)</translation>
    </message>
    <message>
        <source>Split {node} by {split} (best anywhere)</source>
        <translation>Teilung: {node} nach {split} (beste irgendwo)</translation>
    </message>
    <message>
        <source>Split {leaves} (best here)</source>
        <translation>Teilung: {leaves} (beste hier)</translation>
    </message>
    <message>
        <source>Split {node} by {split} (best here)</source>
        <translation>Teilung: {node} nach {split} (beste hier)</translation>
    </message>
    <message>
        <source>Split {node} by {split} (best of {column})</source>
        <translation>Teilung: {node} nach {split} (beste von {column})</translation>
    </message>
    <message>
        <source>{column} into {n} branches</source>
        <translation>{column} in {n} Zweige</translation>
    </message>
    <message>
        <source>Locked: nothing changes at or below this node.</source>
        <translation>Gesperrt: An diesem Knoten und darunter ändert sich nichts.</translation>
    </message>
    <message>
        <source>Locked, as {node} is.</source>
        <translation>Gesperrt, weil {node} es ist.</translation>
    </message>
    <message>
        <source>Pinned: automatic growing and pruning leave this node alone.</source>
        <translation>Angeheftet: Automatisches Wachsen und Stutzen lassen diesen Knoten in Ruhe.</translation>
    </message>
    <message>
        <source>Pruning chose the label {label}; the counts predict {counted}.</source>
        <translation>Das Stutzen wählte die Vorhersage {label}; nach den Zahlen wäre es {counted}.</translation>
    </message>
    <message>
        <source>Labelled by hand: as a leaf it predicts {label}; the counts predict {counted}.</source>
        <translation>Von Hand gesetzt: Als Blatt sagt er {label} vorher; nach den Zahlen wäre es {counted}.</translation>
    </message>
    <message>
        <source>Labelled by hand: predicts {label}; the counts predict {counted}.</source>
        <translation>Von Hand gesetzt: sagt {label} vorher; nach den Zahlen wäre es {counted}.</translation>
    </message>
    <message>
        <source>{columns} and {n} more</source>
        <translation>{columns} und {n} weitere</translation>
    </message>
    <message>
        <source>Excluded at and below this node: {columns}.</source>
        <translation>An und unter diesem Knoten ausgeschlossen: {columns}.</translation>
    </message>
    <message>
        <source>Excluded by {node}: {columns}.</source>
        <translation>Ausgeschlossen durch {node}: {columns}.</translation>
    </message>
    <message>
        <source>Searched by {criterion}.</source>
        <translation>Durchsucht nach {criterion}.</translation>
    </message>
    <message>
        <source>Searched by {criterion}, as set on a node above.</source>
        <translation>Durchsucht nach {criterion}, wie an einem Knoten darüber gesetzt.</translation>
    </message>
    <message>
        <source>Note: {note}</source>
        <translation>Notiz: {note}</translation>
    </message>
    <message>
        <source>This leaf is pinned, so nothing grows from it: unpin it first (K), or split it by a candidate.</source>
        <translation>Dieses Blatt ist angeheftet, also wächst nichts aus ihm: Lösen Sie es zuerst (K), oder teilen Sie es nach einem Kandidaten.</translation>
    </message>
    <message>
        <source>The splits of this tree were chosen on other rows: some of them validate now, which flatters the validation error. Regrow the tree for an honest figure.</source>
        <translation>Die Teilungen dieses Baumes wurden nach anderen Zeilen gewählt: Einige davon validieren jetzt, was dem Validierungsfehler schmeichelt. Lassen Sie den Baum für eine ehrliche Zahl neu wachsen.</translation>
    </message>
    <message>
        <source>1 leaf</source>
        <translation>1 Blatt</translation>
    </message>
    <message>
        <source>{n} leaves</source>
        <translation>{n} Blätter</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Workbook</source>
        <translation>Arbeitsmappe</translation>
    </message>
    <message>
        <source>Typed columns</source>
        <translation>Getippte Spalten</translation>
    </message>
    <message>
        <source>ARFF, typed columns</source>
        <translation>ARFF, Spalten mit Typ</translation>
    </message>
    <message>
        <source>Parquet files</source>
        <translation>Parquet-Dateien</translation>
    </message>
    <message>
        <source>DuckDB database</source>
        <translation>DuckDB-Datenbank</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>durch Kommas getrennt</translation>
    </message>
    <message>
        <source>separated by semicolons</source>
        <translation>durch Semikolons getrennt</translation>
    </message>
    <message>
        <source>separated by tabs</source>
        <translation>durch Tabulatoren getrennt</translation>
    </message>
    <message>
        <source>separated by bars</source>
        <translation>durch Striche getrennt</translation>
    </message>
    <message>
        <source>separated by spaces</source>
        <translation>durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>Pasted table</source>
        <translation>Eingefügte Tabelle</translation>
    </message>
    <message>
        <source>rows not counted yet</source>
        <translation>Zeilen noch nicht gezählt</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>{n} rows</source>
        <translation>{n} Zeilen</translation>
    </message>
    <message>
        <source>1 column</source>
        <translation>1 Spalte</translation>
    </message>
    <message>
        <source>{n} columns</source>
        <translation>{n} Spalten</translation>
    </message>
    <message>
        <source>separated by {delimiter}</source>
        <translation>durch {delimiter} getrennt</translation>
    </message>
    <message>
        <source>The table cannot be read like this: take the last change back.</source>
        <translation>So lässt sich die Tabelle nicht lesen: Nehmen Sie die letzte Änderung zurück.</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlend</translation>
    </message>
    <message>
        <source>First rows of the table</source>
        <translation>Erste Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>F2 changes the kind of the current column, F3 its role.</source>
        <translation>F2 ändert die Art der aktuellen Spalte, F3 ihre Rolle.</translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht verwendet</translation>
    </message>
    <message>
        <source>1 more split went for the same reason, all with their branches; undo brings them back.</source>
        <translation>1 weitere Teilung entfiel aus demselben Grund, alle mit ihren Zweigen; Rückgängig bringt sie zurück.</translation>
    </message>
    <message>
        <source>{n} more splits went for the same reason, all with their branches; undo brings them back.</source>
        <translation>{n} weitere Teilungen entfielen aus demselben Grund, alle mit ihren Zweigen; Rückgängig bringt sie zurück.</translation>
    </message>
    <message>
        <source>“{name}” has a level that the tree does not know, “{level}”: {share:.1f} % of the rows go where its splits send unknown levels.</source>
        <translation>„{name}“ hat eine Ausprägung, die der Baum nicht kennt, „{level}“: {share:.1f} % der Zeilen gehen dorthin, wohin seine Teilungen unbekannte Ausprägungen schicken.</translation>
    </message>
    <message>
        <source>“{name}” has {n:,} levels that the tree does not know, as “{level}”: {share:.1f} % of the rows go where its splits send unknown levels.</source>
        <translation>„{name}“ hat {n:,} Ausprägungen, die der Baum nicht kennt, wie „{level}“: {share:.1f} % der Zeilen gehen dorthin, wohin seine Teilungen unbekannte Ausprägungen schicken.</translation>
    </message>
    <message>
        <source>The tree was grown for the classes {old} of “{target}”; this table has {new}: what the leaves predict was counted again.</source>
        <translation>Der Baum wuchs für die Klassen {old} von „{target}“; diese Tabelle hat {new}: Was die Blätter vorhersagen, wurde neu gezählt.</translation>
    </message>
    <message>
        <source>1 split on it becomes a leaf.</source>
        <translation>1 Teilung danach wird ein Blatt.</translation>
    </message>
    <message>
        <source>{n:,} splits on it become leaves.</source>
        <translation>{n:,} Teilungen danach werden Blätter.</translation>
    </message>
    <message>
        <source>One split no longer divides the rows: for all {rows:,} of them, “{condition}”.</source>
        <translation>Eine Teilung trennt die Zeilen nicht mehr: Für alle {rows:,} gilt „{condition}“.</translation>
    </message>
    <message>
        <source>{n:,} splits no longer divide the rows; the first: for all {rows:,} of them, “{condition}”.</source>
        <translation>{n:,} Teilungen trennen die Zeilen nicht mehr; die erste: Für alle {rows:,} gilt „{condition}“.</translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}); by its costs and priors a row costs {cost} on average.</source>
        <translation>Auf den {rows} Testzeilen irrt dieser Baum mit {leaves} in {error} (95-%-Intervall {low} bis {high}); nach seinen Kosten und A-priori-Anteilen kostet eine Zeile im Mittel {cost}.</translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} errs in {error} (95 % interval {low} to {high}).</source>
        <translation>Auf den {rows} Testzeilen irrt dieser Baum mit {leaves} in {error} (95-%-Intervall {low} bis {high}).</translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} has the mean absolute error {error}.</source>
        <translation>Auf den {rows} Testzeilen hat dieser Baum mit {leaves} den mittleren absoluten Fehler {error}.</translation>
    </message>
    <message>
        <source>On the {rows} test rows this tree of {leaves} has the root mean squared error {error}, R² {r2}.</source>
        <translation>Auf den {rows} Testzeilen hat dieser Baum mit {leaves} die Wurzel des mittleren quadratischen Fehlers {error}, R² {r2}.</translation>
    </message>
    <message>
        <source>Do not choose a tree by this figure, or it is no longer a test.</source>
        <translation>Wählen Sie keinen Baum nach dieser Zahl, sonst ist es kein Test mehr.</translation>
    </message>
    <message>
        <source>Looked at {n} times now.</source>
        <translation>Inzwischen {n}-mal angesehen.</translation>
    </message>
    <message>
        <source>Grow one level to {leaves}</source>
        <translation>Um eine Ebene auf {leaves} wachsen lassen</translation>
    </message>
    <message>
        <source>Grow to {leaves}</source>
        <translation>Auf {leaves} wachsen lassen</translation>
    </message>
    <message>
        <source>Go to {leaves}</source>
        <translation>Los: bis {leaves}</translation>
    </message>
    <message>
        <source>Grow branch “{branch}” to {leaves}</source>
        <translation>Zweig „{branch}“ auf {leaves} wachsen lassen</translation>
    </message>
    <message>
        <source>Divide rows: {validation} validation, test rows as before</source>
        <translation>Zeilen aufteilen: {validation} Validierung, Testzeilen wie zuvor</translation>
    </message>
    <message>
        <source>Probabilities from validation rows, m = {m}</source>
        <translation>Wahrscheinlichkeiten aus Validierungszeilen, m = {m}</translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree has depth {depth}</source>
        <translation>nichts ist mehr zu teilen, oder der Baum hat die Tiefe {depth}</translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree has depth {depth} or {leaves}</source>
        <translation>nichts ist mehr zu teilen, oder der Baum hat die Tiefe {depth} oder {leaves}</translation>
    </message>
    <message>
        <source>Delete {leaves} below {node}</source>
        <translation>Löschen: {leaves} unter {node}</translation>
    </message>
    <message>
        <source>Bring back {leaves} below {node}</source>
        <translation>Zurückbringen: {leaves} unter {node}</translation>
    </message>
    <message>
        <source>Cut by clicks to {leaves}</source>
        <translation>Durch Klicks auf {leaves} gestutzt</translation>
    </message>
    <message>
        <source>Prune to {leaves} ({method})</source>
        <translation>Auf {leaves} stutzen ({method})</translation>
    </message>
    <message>
        <source>Divide rows by “{column}”</source>
        <translation>Zeilen nach „{column}“ aufteilen</translation>
    </message>
    <message>
        <source>Train on all rows</source>
        <translation>Mit allen Zeilen trainieren</translation>
    </message>
    <message>
        <source>Divide rows: {validation} validation, {test} test</source>
        <translation>Zeilen aufteilen: {validation} Validierung, {test} Test</translation>
    </message>
    <message>
        <source>Leaves predict {summary}</source>
        <translation>Blätter sagen {summary} vorher</translation>
    </message>
    <message>
        <source>Probabilities by m-estimate, m = {m}</source>
        <translation>Wahrscheinlichkeiten mit m-Schätzer, m = {m}</translation>
    </message>
    <message>
        <source>Probabilities as counted</source>
        <translation>Wahrscheinlichkeiten wie gezählt</translation>
    </message>
    <message>
        <source>Probabilities by {way}</source>
        <translation>Wahrscheinlichkeiten nach {way}</translation>
    </message>
    <message>
        <source>Change what leaves predict</source>
        <translation>Vorhersagen der Blätter ändern</translation>
    </message>
    <message>
        <source>Nothing to split: every leaf is pure, or the search options allow no further split.</source>
        <translation>Nichts zu teilen: Jedes Blatt ist rein, oder die Suchoptionen erlauben keine weitere Teilung.</translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings.</source>
        <translation>Nichts zu stutzen: Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume.</translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings: it is back.</source>
        <translation>Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume: Er ist wieder da.</translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings that keep the hand-made split.</source>
        <translation>Nichts zu stutzen: Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume, die die handgemachte Teilung behalten.</translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings that keep the hand-made split: it is back.</source>
        <translation>Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume, die die handgemachte Teilung behalten: Er ist wieder da.</translation>
    </message>
    <message>
        <source>Nothing to prune: by this method the whole tree is the best of its prunings that keep the {n} hand-made splits.</source>
        <translation>Nichts zu stutzen: Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume, die die {n} handgemachten Teilungen behalten.</translation>
    </message>
    <message>
        <source>By this method the whole tree is the best of its prunings that keep the {n} hand-made splits: it is back.</source>
        <translation>Nach diesem Verfahren ist der ganze Baum der beste seiner gestutzten Bäume, die die {n} handgemachten Teilungen behalten: Er ist wieder da.</translation>
    </message>
    <message>
        <source>The root is locked, so nothing grows at or below it: unlock it first (Shift+K).</source>
        <translation>Die Wurzel ist gesperrt, also wächst an ihr und darunter nichts: Entsperren Sie sie zuerst (Umschalt+K).</translation>
    </message>
    <message>
        <source>{node} is locked, so nothing grows at or below it: unlock it first (Shift+K).</source>
        <translation>{node} ist gesperrt, also wächst dort und darunter nichts: Entsperren Sie zuerst (Umschalt+K).</translation>
    </message>
    <message>
        <source>Stopped before anything changed: the tree is as it was.</source>
        <translation>Angehalten, bevor sich etwas änderte: Der Baum ist, wie er war.</translation>
    </message>
    <message>
        <source>The root cannot be split: all of its rows are “{label}”.</source>
        <translation>Die Wurzel lässt sich nicht teilen: Alle ihre Zeilen sind „{label}“.</translation>
    </message>
    <message>
        <source>The root cannot be split: the search options allow no split.</source>
        <translation>Die Wurzel lässt sich nicht teilen: Die Suchoptionen erlauben keine Teilung.</translation>
    </message>
    <message>
        <source>{n} train</source>
        <translation>{n} trainieren</translation>
    </message>
    <message>
        <source>{n} validate</source>
        <translation>{n} validieren</translation>
    </message>
    <message>
        <source>{n} kept for the test</source>
        <translation>{n} für den Test zurückgelegt</translation>
    </message>
    <message>
        <source>{n} not used</source>
        <translation>{n} nicht verwendet</translation>
    </message>
    <message>
        <source>This looks at single rows, and those of this table are counted where they are. Open files again and choose “Codes on disk”, or a sample; save the table of a database as Parquet, and open that.</source>
        <translation>Dies betrachtet einzelne Zeilen, und die dieser Tabelle werden an ihrem Ort gezählt. Öffnen Sie Dateien noch einmal, und wählen Sie „Codes auf der Festplatte“ oder eine Stichprobe; speichern Sie die Tabelle einer Datenbank als Parquet, und öffnen Sie diese Datei.</translation>
    </message>
    <message>
        <source>None of the next {n} splits helps the validation rows: the tree stays as it is. The chart in the Prune panel shows them in grey.</source>
        <translation>Keine der nächsten {n} Teilungen hilft den Validierungszeilen: der Baum bleibt, wie er ist. Das Diagramm im Bereich Stutzen zeigt sie grau.</translation>
    </message>
    <message>
        <source>None of the next {n} splits helps the validation rows: the tree goes back to {leaves}. The chart in the Prune panel shows them in grey.</source>
        <translation>Keine der nächsten {n} Teilungen hilft den Validierungszeilen: der Baum geht auf {leaves} zurück. Das Diagramm im Bereich Stutzen zeigt sie grau.</translation>
    </message>
    <message>
        <source>Every leaf predicts “{name}”, so no split lowered the error: set costs, priors or profits in the search options, or grow the whole tree and prune it by another measure.</source>
        <translation>Jedes Blatt sagt „{name}“ vorher, also hat keine Teilung den Fehler verringert: in den Suchoptionen Kosten, Prioren oder Erträge setzen, oder den ganzen Baum wachsen lassen und nach einem anderen Maß stutzen.</translation>
    </message>
    <message>
        <source>The last split does not help the validation rows: back to {leaves}.</source>
        <translation>Die letzte Teilung hilft den Validierungszeilen nicht: zurück auf {leaves}.</translation>
    </message>
    <message>
        <source>The last {n} splits do not help the validation rows: back to {leaves}.</source>
        <translation>Die letzten {n} Teilungen helfen den Validierungszeilen nicht: zurück auf {leaves}.</translation>
    </message>
    <message>
        <source>To prune it too, untick Keep hand-made splits in the Prune panel.</source>
        <translation>Um auch sie zu stutzen, im Bereich Stutzen den Haken bei Handgemachte Teilungen behalten entfernen.</translation>
    </message>
    <message>
        <source>To prune them too, untick Keep hand-made splits in the Prune panel.</source>
        <translation>Um auch sie zu stutzen, im Bereich Stutzen den Haken bei Handgemachte Teilungen behalten entfernen.</translation>
    </message>
    <message>
        <source>{n} bagged trees</source>
        <translation>Bagging, {n} Bäume</translation>
    </message>
    <message>
        <source>random forest, {n} trees</source>
        <translation>Zufallswald, {n} Bäume</translation>
    </message>
    <message>
        <source>weight {n}</source>
        <translation>Gewicht {n}</translation>
    </message>
    <message>
        <source>training weight {n}</source>
        <translation>Trainingsgewicht {n}</translation>
    </message>
    <message>
        <source>the validation rows (weight {n})</source>
        <translation>den Validierungszeilen (Gewicht {n})</translation>
    </message>
    <message>
        <source>the {n} validation rows</source>
        <translation>den {n} Validierungszeilen</translation>
    </message>
    <message>
        <source>{n} trees compared</source>
        <translation>{n} Bäume verglichen</translation>
    </message>
    <message>
        <source>The validation rows chose this tree among {n}, so their {shown} is about {points} too good.</source>
        <translation>Die Validierungszeilen haben diesen Baum unter {n} gewählt, also ist ihr Wert {shown} um etwa {points} zu gut.</translation>
    </message>
    <message>
        <source>The validation rows chose this tree among {n}; their {shown} does not seem too good.</source>
        <translation>Die Validierungszeilen haben diesen Baum unter {n} gewählt; ihr Wert {shown} scheint nicht zu gut zu sein.</translation>
    </message>
    <message>
        <source>Chosen again without a fifth of them at a time, and judged by that fifth: {error} (95 %: {low} to {high}).</source>
        <translation>Jeweils ohne ein Fünftel von ihnen neu gewählt und an diesem Fünftel beurteilt: {error} (95 %: {low} bis {high}).</translation>
    </message>
    <message>
        <source>act on {n} of {leaves} leaves</source>
        <translation>handeln bei {n} von {leaves} Blättern</translation>
    </message>
    <message>
        <source>The rows are of {n} groups (“{column}”): intervals and tests, which take each row for itself, are too narrow and too sure where rows of a group are alike.</source>
        <translation>Die Zeilen gehören zu {n} Gruppen („{column}“): Intervalle und Tests, die jede Zeile für sich nehmen, sind zu eng und zu sicher, wo Zeilen einer Gruppe sich gleichen.</translation>
    </message>
    <message>
        <source>It is no honest figure: these rows were seen, and may have chosen splits, before they were kept.</source>
        <translation>Es ist keine ehrliche Zahl: Diese Zeilen waren zu sehen und haben vielleicht Teilungen gewählt, bevor sie zurückgehalten wurden.</translation>
    </message>
    <message>
        <source>A row earns {amount}.</source>
        <translation>Eine Zeile bringt {amount}.</translation>
    </message>
    <message>
        <source>Always saying “{name}” errs in {error}.</source>
        <translation>Immer „{name}“ vorherzusagen, irrt in {error}.</translation>
    </message>
    <message>
        <source>Predict {said}</source>
        <translation>Vorhersage: {said}</translation>
    </message>
    <message>
        <source>{name} from {share}</source>
        <translation>{name} ab {share}</translation>
    </message>
    <message>
        <source>“{name}” is rare ({share}), and errors hardly tell rare classes: set costs or priors in the search options, or grow the whole tree and prune it by another measure.</source>
        <translation>„{name}“ ist selten ({share}), und Fehler sagen von seltenen Klassen kaum etwas: Setzen Sie Kosten oder A-priori-Wahrscheinlichkeiten in den Suchoptionen, oder lassen Sie den ganzen Baum wachsen und stutzen ihn nach einem anderen Maß.</translation>
    </message>
    <message>
        <source>The first one is by “{column}”, {levels} levels in {rows} rows: ignore it, or make it a group.</source>
        <translation>Die erste teilt nach „{column}“, {levels} Stufen in {rows} Zeilen: Ignorieren Sie die Spalte, oder machen Sie sie zur Gruppe.</translation>
    </message>
    <message>
        <source>No split: the best gain, {gain}, is below Minimum gain {least}.</source>
        <translation>Keine Teilung: Der beste Gewinn, {gain}, liegt unter dem Mindestgewinn {least}.</translation>
    </message>
    <message>
        <source>{n} rows: {parts}</source>
        <translation>{n} Zeilen: {parts}</translation>
    </message>
    <message>
        <source>2nd best</source>
        <translation>Zweitbeste</translation>
    </message>
    <message>
        <source>3rd best</source>
        <translation>Drittbeste</translation>
    </message>
    <message>
        <source>4th best</source>
        <translation>Viertbeste</translation>
    </message>
    <message>
        <source>5th best</source>
        <translation>Fünftbeste</translation>
    </message>
    <message>
        <source>each of {levels}</source>
        <translation>je eine von {levels}</translation>
    </message>
    <message>
        <source>1 level</source>
        <translation>1 Ausprägung</translation>
    </message>
    <message>
        <source>{n} levels</source>
        <translation>{n} Ausprägungen</translation>
    </message>
    <message>
        <source>into all branches, in part</source>
        <translation>in alle Zweige, anteilig</translation>
    </message>
    <message>
        <source>by {columns}, else into branch {branch}</source>
        <translation>nach {columns}, sonst in Zweig {branch}</translation>
    </message>
    <message>
        <source>into branch {branch}</source>
        <translation>in Zweig {branch}</translation>
    </message>
    <message>
        <source>No further condition gained anything beside this one.</source>
        <translation>Neben dieser brachte keine weitere Bedingung einen Gewinn.</translation>
    </message>
    <message>
        <source>No gain by itself, but the splits below its branches gain.</source>
        <translation>Kein Gewinn für sich, aber die Teilungen unter ihren Zweigen gewinnen.</translation>
    </message>
    <message>
        <source>No gain yet: this split may be chosen, and may pay off one level further down.</source>
        <translation>Noch kein Gewinn: Diese Teilung darf gewählt werden und kann sich eine Ebene tiefer lohnen.</translation>
    </message>
    <message>
        <source>Reversed on {rows}: {shares}.</source>
        <translation>Auf {rows} umgekehrt: {shares}.</translation>
    </message>
    <message>
        <source>Reversed on {rows}: {shares}; too few to be sure.</source>
        <translation>Auf {rows} umgekehrt: {shares}; zu wenige, um sicher zu sein.</translation>
    </message>
    <message>
        <source>No gain on {rows}; too few to be sure.</source>
        <translation>Kein Gewinn auf {rows}; zu wenige, um sicher zu sein.</translation>
    </message>
    <message>
        <source>Only {share} of the gain is left on {rows}; too few to be sure.</source>
        <translation>Nur {share} des Gewinns bleiben auf {rows}; zu wenige, um sicher zu sein.</translation>
    </message>
    <message>
        <source>The gain does not survive on {rows}: {gain}; {promised} in training.</source>
        <translation>Der Gewinn bleibt nicht auf {rows}: {gain}; {promised} im Training.</translation>
    </message>
    <message>
        <source>Only {share} of the gain survives on {rows}: {gain}; {promised} in training.</source>
        <translation>Nur {share} des Gewinns bleiben auf {rows}: {gain}; {promised} im Training.</translation>
    </message>
    <message>
        <source>share of {name} {shares}</source>
        <translation>Anteil von {name} {shares}</translation>
    </message>
    <message>
        <source>difference of the means {one} → {other}</source>
        <translation>Unterschied der Mittelwerte {one} → {other}</translation>
    </message>
    <message>
        <source>Sends {share} of the rows the same way as the leading split, by {column}: a mimic, one of the two is redundant.</source>
        <translation>Schickt {share} der Zeilen denselben Weg wie die führende Teilung, nach {column}: ein Doppelgänger, eine von beiden ist überflüssig.</translation>
    </message>
    <message>
        <source>Sends {share} of the rows the same way as the leading split, by {column}.</source>
        <translation>Schickt {share} der Zeilen denselben Weg wie die führende Teilung, nach {column}.</translation>
    </message>
    <message>
        <source>{column} wins in {won} of {samples} bootstrap samples.</source>
        <translation>{column} siegt in {won} von {samples} Bootstrap-Stichproben.</translation>
    </message>
    <message>
        <source>{column} wins in {won} of {samples} bootstrap samples, {other} in {also}.</source>
        <translation>{column} siegt in {won} von {samples} Bootstrap-Stichproben, {other} in {also}.</translation>
    </message>
    <message>
        <source>Wins in {won} of {samples} bootstrap samples, less than half: another column is nearly as good.</source>
        <translation>Siegt in {won} von {samples} Bootstrap-Stichproben, weniger als der Hälfte: Eine andere Spalte ist fast so gut.</translation>
    </message>
    <message>
        <source>Wins in {won} of {samples} bootstrap samples.</source>
        <translation>Siegt in {won} von {samples} Bootstrap-Stichproben.</translation>
    </message>
    <message>
        <source>Cuts of the {won} of {samples} bootstrap samples won by this column: half or more at {low}.</source>
        <translation>Schnitte der {won} von {samples} Bootstrap-Stichproben, in denen diese Spalte siegt: mindestens die Hälfte bei {low}.</translation>
    </message>
    <message>
        <source>Cuts of the {won} of {samples} bootstrap samples won by this column: half of them between {low} and {high}.</source>
        <translation>Schnitte der {won} von {samples} Bootstrap-Stichproben, in denen diese Spalte siegt: die Hälfte zwischen {low} und {high}.</translation>
    </message>
    <message>
        <source>{n} nearly equal</source>
        <translation>{n} fast gleich</translation>
    </message>
    <message>
        <source>{times} the next</source>
        <translation>{times} des nächsten</translation>
    </message>
    <message>
        <source>only one gains</source>
        <translation>nur eine gewinnt</translation>
    </message>
    <message>
        <source>No split gains yet: whatever is chosen has to pay off one level further down.</source>
        <translation>Noch gewinnt keine Teilung: Was auch gewählt wird, muss sich eine Ebene tiefer lohnen.</translation>
    </message>
    <message>
        <source>A plateau: {columns} gain nearly the same (within {share}). The figures do not decide between them: what you know about the columns may.</source>
        <translation>Eine Ebene: {columns} gewinnen fast gleich viel (innerhalb von {share}). Die Zahlen entscheiden nicht zwischen ihnen; was Sie über die Spalten wissen, vielleicht schon.</translation>
    </message>
    <message>
        <source>A cliff: only {column} gains.</source>
        <translation>Ein Steilhang: Nur {column} bringt Gewinn.</translation>
    </message>
    <message>
        <source>A cliff: {column} gains {factor} times as much as the next.</source>
        <translation>Ein Steilhang: {column} gewinnt {factor}-mal so viel wie die nächste.</translation>
    </message>
    <message>
        <source>A slope: {column} gains {factor} times as much as the next, {next}.</source>
        <translation>Ein Hang: {column} gewinnt {factor}-mal so viel wie die nächste, {next}.</translation>
    </message>
    <message>
        <source>{first} and {second} agree on {column}.</source>
        <translation>{first} und {second} sind sich über {column} einig.</translation>
    </message>
    <message>
        <source>They disagree: {first} prefers {winner}, {second} prefers {other}.</source>
        <translation>Sie sind uneins: {first} bevorzugt {winner}, {second} bevorzugt {other}.</translation>
    </message>
    <message>
        <source>“{column}” is excluded below {node}: include it again there (X) to split by it.</source>
        <translation>„{column}“ ist unter {node} ausgeschlossen: Lassen Sie sie dort wieder zu (X), um nach ihr zu teilen.</translation>
    </message>
    <message>
        <source>“{column}” is locked: unlock it (Ctrl+K) to split by it.</source>
        <translation>„{column}“ ist gesperrt: Entsperren Sie sie (Strg+K), um nach ihr zu teilen.</translation>
    </message>
    <message>
        <source>nothing is left to split</source>
        <translation>nichts ist mehr zu teilen</translation>
    </message>
    <message>
        <source>nothing is left to split, or the tree has {leaves}</source>
        <translation>nichts ist mehr zu teilen, oder der Baum hat {leaves}</translation>
    </message>
    <message>
        <source>{n} min</source>
        <translation>{n} min</translation>
    </message>
    <message>
        <source>small letters within sentences</source>
        <translation>kleine Buchstaben innerhalb von Sätzen</translation>
    </message>
    <message>
        <source>Desktop entries exist on Linux only: on this system, make a shortcut to main.py.</source>
        <translation>Starter für die Arbeitsfläche gibt es nur unter Linux: Legen Sie auf diesem System eine Verknüpfung zu main.py an.</translation>
    </message>
    <message>
        <source>The desktop entry cannot be written to “{path}”: {problem}.</source>
        <translation>Der Starter lässt sich nicht nach „{path}“ schreiben: {problem}.</translation>
    </message>
    <message>
        <source>highest means</source>
        <translation>höchsten Mittelwerten</translation>
    </message>
    <message>
        <source>lowest means</source>
        <translation>niedrigsten Mittelwerten</translation>
    </message>
    <message>
        <source>all rows</source>
        <translation>alle Zeilen</translation>
    </message>
    <message>
        <source>Best leaves</source>
        <translation>Beste Blätter</translation>
    </message>
    <message>
        <source>Best leaves for</source>
        <translation>Beste Blätter für</translation>
    </message>
    <message>
        <source>Closes the list (Esc)</source>
        <translation>Schließt die Liste (Esc)</translation>
    </message>
    <message>
        <source>Best leaves for “{target}” =</source>
        <translation>Beste Blätter für „{target}“ =</translation>
    </message>
    <message>
        <source>Leaves with the</source>
        <translation>Blätter mit den</translation>
    </message>
    <message>
        <source>Leaf</source>
        <translation>Blatt</translation>
    </message>
    <message>
        <source>Ranked by lower bounds from validation rows, 95 % for all leaves at once</source>
        <translation>Geordnet nach unteren Schranken aus Validierungszeilen, 95 % für alle Blätter zugleich</translation>
    </message>
    <message>
        <source>Ranked by bounds of the mean from validation rows, for all leaves at once</source>
        <translation>Geordnet nach Schranken des Mittelwerts aus Validierungszeilen, für alle Blätter zugleich</translation>
    </message>
    <message>
        <source>Ranked by training rows, which chose these leaves: the rates are flattering</source>
        <translation>Geordnet nach Trainingszeilen, die diese Blätter gewählt haben: Die Anteile schmeicheln</translation>
    </message>
    <message>
        <source>Ranked by training rows, which chose these leaves: the means are flattering</source>
        <translation>Geordnet nach Trainingszeilen, die diese Blätter gewählt haben: Die Mittelwerte schmeicheln</translation>
    </message>
    <message>
        <source>Each leaf is ranked by the lower bound of its rate (Clopper and Pearson 1934). All bounds of the tree hold together with 95 % (Bonferroni), unless validation rows chose or pruned the tree, too. Leaves at or below the rate of all rows are not listed.</source>
        <translation>Jedes Blatt wird nach der unteren Schranke seines Anteils geordnet (Clopper und Pearson 1934). Alle Schranken des Baumes gelten zusammen mit 95 % (Bonferroni), außer wenn Validierungszeilen den Baum mitgewählt oder gestutzt haben. Blätter mit höchstens dem Anteil aller Zeilen stehen nicht in der Liste.</translation>
    </message>
    <message>
        <source>Each leaf is ranked by the bound of its mean (Student), from the deviation in the leaf and a little of that of all rows. All bounds of the tree hold together with 95 % (Bonferroni) where the numbers are nearly normal and validation rows did not choose or prune the tree; where they are very skew, more rarely. Leaves of one or two rows come last; those no better than the mean of all rows are not listed.</source>
        <translation>Jedes Blatt wird nach der Schranke seines Mittelwerts (Student) geordnet, aus der Abweichung im Blatt und ein wenig der aller Zeilen. Alle Schranken des Baumes gelten zusammen mit 95 % (Bonferroni), wo die Zahlen nahezu normalverteilt sind und Validierungszeilen den Baum weder gewählt noch gestutzt haben; wo sie sehr schief sind, seltener. Blätter mit einer oder zwei Zeilen kommen zuletzt; solche, die nicht besser sind als der Mittelwert aller Zeilen, stehen nicht in der Liste.</translation>
    </message>
    <message>
        <source>Each leaf is ranked by a bound for all leaves at once, which keeps leaves of few rows from leading. It promises nothing of other rows, because the training rows chose the leaves: for that, validation rows are needed. Leaves no better than all rows together are not listed.</source>
        <translation>Jedes Blatt wird nach einer Schranke geordnet, die für alle Blätter zugleich gilt, damit Blätter mit wenigen Zeilen nicht führen. Sie verspricht nichts für andere Zeilen, weil die Trainingszeilen die Blätter gewählt haben: Dafür braucht es Validierungszeilen. Blätter, die nicht besser sind als alle Zeilen zusammen, stehen nicht in der Liste.</translation>
    </message>
    <message>
        <source>No leaf has a higher rate of this class than all rows together.</source>
        <translation>Kein Blatt hat einen höheren Anteil dieser Klasse als alle Zeilen zusammen.</translation>
    </message>
    <message>
        <source>No leaf is better than the mean of all rows.</source>
        <translation>Kein Blatt ist besser als der Mittelwert aller Zeilen.</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>{limit}; leave empty for no limit</source>
        <translation>{limit}; leer lassen für keine Grenze</translation>
    </message>
    <message>
        <source>any</source>
        <translation>eine beliebige</translation>
    </message>
    <message>
        <source>Filter of the leaves</source>
        <translation>Filter der Blätter</translation>
    </message>
    <message>
        <source>No filter</source>
        <translation>Kein Filter</translation>
    </message>
    <message>
        <source>Ends the filter: all leaves stand out again</source>
        <translation>Beendet den Filter: Alle Blätter sind wieder hervorgehoben</translation>
    </message>
    <message>
        <source>Closes the form; the filter stays (Esc)</source>
        <translation>Schließt das Formular; der Filter bleibt (Esc)</translation>
    </message>
    <message>
        <source>Show leaves that have</source>
        <translation>Blätter zeigen, die haben</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>Rows at least</source>
        <translation>Zeilen mindestens</translation>
    </message>
    <message>
        <source>Share of all rows at least, in percent</source>
        <translation>Anteil an allen Zeilen mindestens, in Prozent</translation>
    </message>
    <message>
        <source>How sure at least, in percent: the share of the class that the leaf predicts</source>
        <translation>Wie sicher mindestens, in Prozent: der Anteil der Klasse, die das Blatt vorhersagt</translation>
    </message>
    <message>
        <source>Spread at most: how far the values lie from what the leaf predicts</source>
        <translation>Streuung höchstens: wie weit die Werte von der Vorhersage des Blattes liegen</translation>
    </message>
    <message>
        <source>Rows or their share</source>
        <translation>Zeilen oder ihr Anteil</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>% of all rows</source>
        <translation>% aller Zeilen</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>% sure</source>
        <translation>% sicher</translation>
    </message>
    <message>
        <source>mean absolute error</source>
        <translation>mittlerer absoluter Fehler</translation>
    </message>
    <message>
        <source>standard deviation</source>
        <translation>Standardabweichung</translation>
    </message>
    <message>
        <source>All leaves stand out.</source>
        <translation>Alle Blätter sind hervorgehoben.</translation>
    </message>
    <message>
        <source>No leaf passes: ask for less.</source>
        <translation>Kein Blatt genügt: Verlangen Sie weniger.</translation>
    </message>
    <message>
        <source>{leaves}, {share} of the validation rows</source>
        <translation>{leaves}, {share} der Validierungszeilen</translation>
    </message>
    <message>
        <source>{leaves}, {share} of the rows</source>
        <translation>{leaves}, {share} der Zeilen</translation>
    </message>
    <message>
        <source>Opens the form of the filter</source>
        <translation>Öffnet das Formular des Filters</translation>
    </message>
    <message>
        <source>{asked}  ·  {leaves}</source>
        <translation>{asked}  ·  {leaves}</translation>
    </message>
    <message>
        <source>{rate}; last, for it has too few rows: {n}</source>
        <translation>{rate}; zuletzt, denn es hat zu wenige Zeilen: {n}</translation>
    </message>
    <message>
        <source>{rate} of {n} training rows, which chose this leaf; ranked by {bound}</source>
        <translation>{rate} von {n} Trainingszeilen, die dieses Blatt gewählt haben; geordnet nach {bound}</translation>
    </message>
    <message>
        <source>Mean {rate} of {n} training rows, which chose this leaf; ranked by {bound}</source>
        <translation>Mittelwert {rate} aus {n} Trainingszeilen, die dieses Blatt gewählt haben; geordnet nach {bound}</translation>
    </message>
    <message>
        <source>{rate} of {n} validation rows; at least {bound}, 95 % for all leaves at once</source>
        <translation>{rate} von {n} Validierungszeilen; mindestens {bound}, 95 % für alle Blätter zugleich</translation>
    </message>
    <message>
        <source>Mean {rate} of {n} validation rows; bound {bound}, for all leaves at once</source>
        <translation>Mittelwert {rate} aus {n} Validierungszeilen; Schranke {bound}, für alle Blätter zugleich</translation>
    </message>
    <message>
        <source>A column finds the nodes that split by it, a level or other words of a condition the nodes that it leads to, a class the leaves that predict it; conditions may be joined by “and”. #12 is node 12.</source>
        <translation>Eine Spalte findet die Knoten, die nach ihr geteilt sind, eine Ausprägung oder andere Wörter einer Bedingung die Knoten, zu denen sie führt, eine Klasse die Blätter, die sie vorhersagen; Bedingungen lassen sich mit “and” verbinden. #12 ist Knoten 12.</translation>
    </message>
    <message>
        <source>Column, level, rule or #node</source>
        <translation>Spalte, Ausprägung, Regel oder #Knoten</translation>
    </message>
    <message>
        <source>Find in the tree</source>
        <translation>Im Baum suchen</translation>
    </message>
    <message>
        <source>{place} of {n}</source>
        <translation>{place} von {n}</translation>
    </message>
    <message>
        <source>Goes to the one before (Shift+Enter)</source>
        <translation>Geht zum vorigen (Umschalt+Eingabe)</translation>
    </message>
    <message>
        <source>Goes to the next one (Enter)</source>
        <translation>Geht zum nächsten (Eingabe)</translation>
    </message>
    <message>
        <source>Closes the find bar (Esc)</source>
        <translation>Schließt die Suchleiste (Esc)</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>Wird angesehen …</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation>{n} gefunden</translation>
    </message>
    <message>
        <source>Stop following this row (Esc)</source>
        <translation>Diese Zeile nicht mehr verfolgen (Esc)</translation>
    </message>
    <message>
        <source>Stop following these rows (Esc)</source>
        <translation>Diese Zeilen nicht mehr verfolgen (Esc)</translation>
    </message>
    <message>
        <source>End the replay: back to your own tree</source>
        <translation>Wiedergabe beenden: zurück zu Ihrem eigenen Baum</translation>
    </message>
    <message>
        <source>step {n} of {all} · your own tree stays as it is</source>
        <translation>Schritt {n} von {all} · Ihr eigener Baum bleibt, wie er ist</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Wiedergabe</translation>
    </message>
    <message>
        <source>Row {row} ({target})</source>
        <translation>Zeile {row} ({target})</translation>
    </message>
    <message>
        <source>Row {row}</source>
        <translation>Zeile {row}</translation>
    </message>
    <message>
        <source>New row</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>its parts in {n} leaves predict {prediction}</source>
        <translation>seine Anteile in {n} Blättern sagen {prediction} vorher</translation>
    </message>
    <message>
        <source>in {n} leaves</source>
        <translation>in {n} Blättern</translation>
    </message>
    <message>
        <source>no split</source>
        <translation>keine Teilung</translation>
    </message>
    <message>
        <source>1 split</source>
        <translation>1 Teilung</translation>
    </message>
    <message>
        <source>{n} splits</source>
        <translation>{n} Teilungen</translation>
    </message>
    <message>
        <source>after {splits} its leaf predicts {prediction}</source>
        <translation>nach {splits} sagt sein Blatt {prediction} vorher</translation>
    </message>
    <message>
        <source>after {splits}</source>
        <translation>nach {splits}</translation>
    </message>
    <message>
        <source>the training rows</source>
        <translation>die Trainingszeilen</translation>
    </message>
    <message>
        <source>those for validation</source>
        <translation>die für die Validierung</translation>
    </message>
    <message>
        <source>{n} for training</source>
        <translation>{n} für das Training</translation>
    </message>
    <message>
        <source>{n} for validation</source>
        <translation>{n} für die Validierung</translation>
    </message>
    <message>
        <source>{rows} · {valid} of {validation}</source>
        <translation>{rows} · {valid} von {validation}</translation>
    </message>
    <message>
        <source>{rows} · {train} of {training}</source>
        <translation>{rows} · {train} von {training}</translation>
    </message>
    <message>
        <source>{rows} · {train} of {training} ({valid} of {validation})</source>
        <translation>{rows} · {train} von {training} ({valid} von {validation})</translation>
    </message>
    <message>
        <source>{rows} · {train}</source>
        <translation>{rows} · {train}</translation>
    </message>
    <message>
        <source>{rows} · {train} ({valid} of {validation})</source>
        <translation>{rows} · {train} ({valid} von {validation})</translation>
    </message>
    <message>
        <source>{n} training</source>
        <translation>{n} Training</translation>
    </message>
    <message>
        <source>{n} validation</source>
        <translation>{n} Validierung</translation>
    </message>
    <message>
        <source>{n} not in the tree</source>
        <translation>{n} nicht im Baum</translation>
    </message>
    <message>
        <source>{n} of {total} rows, {share}</source>
        <translation>{n} von {total} Zeilen, {share}</translation>
    </message>
    <message>
        <source>Open a table, and its tree will stand here: every row in one root, ready to be split.</source>
        <translation>Öffnen Sie eine Tabelle, und ihr Baum steht hier: jede Zeile in einer Wurzel, bereit zum Teilen.</translation>
    </message>
    <message>
        <source>Choose a split at the right, or press Go.</source>
        <translation>Wählen Sie rechts eine Teilung, oder drücken Sie Los.</translation>
    </message>
    <message>
        <source>No column separates these rows: there is nothing to split.</source>
        <translation>Keine Spalte trennt diese Zeilen: Es gibt nichts zu teilen.</translation>
    </message>
    <message>
        <source>All training rows have the same target value: there is nothing to split.</source>
        <translation>Alle Trainingszeilen haben denselben Zielwert: Es gibt nichts zu teilen.</translation>
    </message>
    <message>
        <source>Decision tree</source>
        <translation>Entscheidungsbaum</translation>
    </message>
    <message>
        <source>Every node is a block of bits: the number of a column to split by, or of a class to predict, and then what tells the split from others of its column. One block more says that the tree ends, so no tree’s word begins another one’s.</source>
        <translation>Jeder Knoten ist ein Block von Bits: die Nummer einer Spalte, nach der geteilt wird, oder einer Klasse, die vorhergesagt wird, und dann, was die Teilung von anderen ihrer Spalte unterscheidet. Ein weiterer Block sagt, dass der Baum endet, sodass das Wort keines Baumes das eines anderen beginnt.</translation>
    </message>
    <message>
        <source>Prefix code</source>
        <translation>Präfixcode</translation>
    </message>
    <message>
        <source>Blocks of the code</source>
        <translation>Blöcke des Codes</translation>
    </message>
    <message>
        <source>Writing the code…</source>
        <translation>Der Code wird geschrieben…</translation>
    </message>
    <message>
        <source>The bits of the tree, to be changed and read again</source>
        <translation>Die Bits des Baumes, zum Ändern und Zurücklesen</translation>
    </message>
    <message>
        <source>C&amp;opy the bits</source>
        <translation>Bits &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Read again</source>
        <translation>Noch einmal &amp;lesen</translation>
    </message>
    <message>
        <source>The word</source>
        <translation>Das Wort</translation>
    </message>
    <message>
        <source>Writing the tree in bits</source>
        <translation>Der Baum wird in Bits geschrieben</translation>
    </message>
    <message>
        <source>{bits} bits are too many to show them here.</source>
        <translation>{bits} Bits sind zu viele, um sie hier zu zeigen.</translation>
    </message>
    <message>
        <source>Reading the bits</source>
        <translation>Die Bits werden gelesen</translation>
    </message>
    <message>
        <source>The code went wrong; the log has the details.</source>
        <translation>Beim Code ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Read from bits</source>
        <translation>Aus Bits gelesen</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Says</source>
        <translation>Sagt vorher</translation>
    </message>
    <message>
        <source>{bits} bits in {blocks} blocks, each begun by one of {symbols} symbols; {ideal} bits if a choice among n could take log₂ n of them.</source>
        <translation>{bits} Bits in {blocks} Blöcken, jeder begonnen mit einem von {symbols} Symbolen; {ideal} Bits, wenn eine Wahl unter n log₂ n Bits brauchen dürfte.</translation>
    </message>
    <message>
        <source>{n} further blocks are not listed.</source>
        <translation>{n} weitere Blöcke sind nicht aufgeführt.</translation>
    </message>
    <message>
        <source>Read again, the bits are the same tree: every split and every label.</source>
        <translation>Zurückgelesen ergeben die Bits denselben Baum: jede Teilung und jede Vorhersage.</translation>
    </message>
    <message>
        <source>These bits are another tree, of {leaves} and depth {depth}.</source>
        <translation>Diese Bits sind ein anderer Baum, mit {leaves} und Tiefe {depth}.</translation>
    </message>
    <message>
        <source>Grow</source>
        <translation>Wachsen</translation>
    </message>
    <message>
        <source>The &amp;branch below {node}</source>
        <translation>Der &amp;Zweig unter {node}</translation>
    </message>
    <message>
        <source>The whole &amp;tree</source>
        <translation>Der ganze &amp;Baum</translation>
    </message>
    <message>
        <source>One &amp;level: every leaf once  (L)</source>
        <translation>Eine &amp;Ebene: jedes Blatt einmal  (L)</translation>
    </message>
    <message>
        <source>One &amp;split: where it gains most  (S)</source>
        <translation>Eine &amp;Teilung: wo sie am meisten gewinnt  (S)</translation>
    </message>
    <message>
        <source>&amp;Regrow from scratch</source>
        <translation>Von Grund auf &amp;neu wachsen lassen</translation>
    </message>
    <message>
        <source>Otherwise these options hold for this growth only</source>
        <translation>Sonst gelten diese Optionen nur für dieses Wachsen</translation>
    </message>
    <message>
        <source>&amp;Keep as the search options</source>
        <translation>Als Suchoptionen &amp;behalten</translation>
    </message>
    <message>
        <source>&amp;Grow</source>
        <translation>&amp;Wachsen</translation>
    </message>
    <message>
        <source>Nothing to grow below {node}: every leaf is pure, or the options allow no further split.</source>
        <translation>Unter {node} kann nichts wachsen: Jedes Blatt ist rein, oder die Optionen erlauben keine weitere Teilung.</translation>
    </message>
    <message>
        <source>Nothing to grow: every leaf is pure, or the options allow no further split.</source>
        <translation>Nichts kann wachsen: Jedes Blatt ist rein, oder die Optionen erlauben keine weitere Teilung.</translation>
    </message>
    <message>
        <source>Takes {splits} below {node} back and grows again until {limits}.</source>
        <translation>Nimmt {splits} unter {node} zurück und wächst neu, bis {limits}.</translation>
    </message>
    <message>
        <source>Takes {splits} back and grows again until {limits}.</source>
        <translation>Nimmt {splits} zurück und wächst neu, bis {limits}.</translation>
    </message>
    <message>
        <source>Splits the leaf whose best split gains most, weighted by its rows.</source>
        <translation>Teilt das Blatt, dessen beste Teilung am meisten gewinnt, gewichtet nach seinen Zeilen.</translation>
    </message>
    <message>
        <source>Splits the open leaf once.</source>
        <translation>Teilt das offene Blatt einmal.</translation>
    </message>
    <message>
        <source>Splits each of the {n} open leaves once.</source>
        <translation>Teilt jedes der {n} offenen Blätter einmal.</translation>
    </message>
    <message>
        <source>the open leaf</source>
        <translation>das offene Blatt</translation>
    </message>
    <message>
        <source>the {n} open leaves</source>
        <translation>die {n} offenen Blätter</translation>
    </message>
    <message>
        <source>Grows {leaves} below {node} until {limits}.</source>
        <translation>Lässt {leaves} unter {node} wachsen, bis {limits}.</translation>
    </message>
    <message>
        <source>Grows {leaves} until {limits}.</source>
        <translation>Lässt {leaves} wachsen, bis {limits}.</translation>
    </message>
    <message>
        <source>On the canvas: parent, child, sibling</source>
        <translation>Auf der Zeichenfläche: Elternknoten, Kind, Geschwister</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>Pfeiltasten</translation>
    </message>
    <message>
        <source>On the canvas: the root</source>
        <translation>Auf der Zeichenfläche: die Wurzel</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>On the canvas: zoom</source>
        <translation>Auf der Zeichenfläche: vergrößern und verkleinern</translation>
    </message>
    <message>
        <source>Ctrl+wheel, pinch; + and −</source>
        <translation>Strg+Mausrad, zwei Finger; + und −</translation>
    </message>
    <message>
        <source>On the canvas: zoom into a box</source>
        <translation>Auf der Zeichenfläche: in einen Rahmen hinein vergrößern</translation>
    </message>
    <message>
        <source>Shift and drag</source>
        <translation>Umschalt und ziehen</translation>
    </message>
    <message>
        <source>On the canvas: come closer, see all again</source>
        <translation>Auf der Zeichenfläche: näher heran, wieder alles sehen</translation>
    </message>
    <message>
        <source>Double click beside the tree</source>
        <translation>Doppelklick neben dem Baum</translation>
    </message>
    <message>
        <source>On the canvas: move the view</source>
        <translation>Auf der Zeichenfläche: die Ansicht bewegen</translation>
    </message>
    <message>
        <source>Wheel; drag the empty canvas, or anything with Space or the middle button</source>
        <translation>Mausrad; die leere Zeichenfläche ziehen, oder alles mit der Leertaste oder der mittleren Maustaste</translation>
    </message>
    <message>
        <source>On the canvas: move the view by a step, by a page</source>
        <translation>Auf der Zeichenfläche: die Ansicht um einen Schritt, um eine Seite bewegen</translation>
    </message>
    <message>
        <source>Ctrl+arrow keys; Page Up and Page Down, with Shift sideways</source>
        <translation>Strg+Pfeiltasten; Bild auf und Bild ab, mit Umschalt seitwärts</translation>
    </message>
    <message>
        <source>On the canvas: nodes further apart or nearer</source>
        <translation>Auf der Zeichenfläche: Knoten weiter auseinander oder näher zusammen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+arrow keys; Ctrl+Shift+wheel across, Ctrl+Alt+wheel down</source>
        <translation>Strg+Umschalt+Pfeiltasten; Strg+Umschalt+Mausrad waagerecht, Strg+Alt+Mausrad senkrecht</translation>
    </message>
    <message>
        <source>On the canvas: the menu of the selected node</source>
        <translation>Auf der Zeichenfläche: das Menü des ausgewählten Knotens</translation>
    </message>
    <message>
        <source>Menu key, Shift+F10</source>
        <translation>Menütaste, Umschalt+F10</translation>
    </message>
    <message>
        <source>On the canvas: split by a column</source>
        <translation>Auf der Zeichenfläche: nach einer Spalte teilen</translation>
    </message>
    <message>
        <source>Drag it from the columns panel onto a node</source>
        <translation>Aus dem Bereich Spalten auf einen Knoten ziehen</translation>
    </message>
    <message>
        <source>In the find bar: the next one, the one before</source>
        <translation>In der Suchleiste: der nächste, der vorige</translation>
    </message>
    <message>
        <source>Enter; Shift+Enter</source>
        <translation>Eingabe; Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>In the note of a node: write it, withdraw</source>
        <translation>In der Notiz eines Knotens: schreiben, zurücknehmen</translation>
    </message>
    <message>
        <source>Ctrl+Enter, Esc</source>
        <translation>Strg+Eingabe, Esc</translation>
    </message>
    <message>
        <source>Among the candidates: accept</source>
        <translation>Unter den Kandidaten: annehmen</translation>
    </message>
    <message>
        <source>Enter, or a double click</source>
        <translation>Eingabe, oder ein Doppelklick</translation>
    </message>
    <message>
        <source>Among the candidates: withdraw the preview</source>
        <translation>Unter den Kandidaten: Vorschau zurücknehmen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>In the split editor: move the cut</source>
        <translation>Im Editor der Teilung: den Schnitt bewegen</translation>
    </message>
    <message>
        <source>Drag it, or Left and Right; further with Shift</source>
        <translation>Ziehen, oder links und rechts; mit Umschalt weiter</translation>
    </message>
    <message>
        <source>In the split editor: add cut, remove cut</source>
        <translation>Im Editor der Teilung: Schnitt hinzufügen, Schnitt entfernen</translation>
    </message>
    <message>
        <source>Double click; right click or Del</source>
        <translation>Doppelklick; Rechtsklick oder Entf</translation>
    </message>
    <message>
        <source>In the split editor: which cut the keys move</source>
        <translation>Im Editor der Teilung: welchen Schnitt die Tasten bewegen</translation>
    </message>
    <message>
        <source>Up and Down</source>
        <translation>Auf und ab</translation>
    </message>
    <message>
        <source>In the split editor: zoom, see all</source>
        <translation>Im Editor der Teilung: vergrößern, alles zeigen</translation>
    </message>
    <message>
        <source>Wheel; double click on an axis</source>
        <translation>Mausrad; Doppelklick auf eine Achse</translation>
    </message>
    <message>
        <source>In the split editor: make the split, withdraw it</source>
        <translation>Im Editor der Teilung: die Teilung machen, zurücknehmen</translation>
    </message>
    <message>
        <source>Enter; Esc</source>
        <translation>Eingabe; Esc</translation>
    </message>
    <message>
        <source>Shortcuts — Espalier</source>
        <translation>Tastenkürzel — Espalier</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was es tut</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>About Espalier</source>
        <translation>Über Espalier</translation>
    </message>
    <message>
        <source>Decision trees, grown by hand and cut back without regret.</source>
        <translation>Entscheidungsbäume, von Hand gezogen und ohne Reue zurückgeschnitten.</translation>
    </message>
    <message>
        <source>Free software under the BSD 3-clause licence.</source>
        <translation>Freie Software unter der BSD-3-Klausel-Lizenz.</translation>
    </message>
    <message>
        <source>Validation rows in percent</source>
        <translation>Validierungszeilen in Prozent</translation>
    </message>
    <message>
        <source>Test rows in percent</source>
        <translation>Testzeilen in Prozent</translation>
    </message>
    <message>
        <source>Seed of the division into parts</source>
        <translation>Startwert der Aufteilung</translation>
    </message>
    <message>
        <source>The same seed divides the same rows in the same way.</source>
        <translation>Derselbe Startwert teilt dieselben Zeilen gleich auf.</translation>
    </message>
    <message>
        <source>&amp;Validation</source>
        <translation>&amp;Validierung</translation>
    </message>
    <message>
        <source>Te&amp;st</source>
        <translation>Te&amp;st</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Test rows stay test rows: to choose others, open the file again.</source>
        <translation>Testzeilen bleiben Testzeilen: Um andere zu wählen, öffnen Sie die Datei erneut.</translation>
    </message>
    <message>
        <source>Divide the rows</source>
        <translation>Zeilen aufteilen</translation>
    </message>
    <message>
        <source>The {n} test rows stay as they are; the others are divided again.</source>
        <translation>Die {n} Testzeilen bleiben, wie sie sind; die anderen werden neu aufgeteilt.</translation>
    </message>
    <message>
        <source>Counting the parts</source>
        <translation>Die Teile werden gezählt</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Zählung läuft…</translation>
    </message>
    <message>
        <source>{train} rows train, {validation} validate, {test} are kept for the test.</source>
        <translation>{train} Zeilen trainieren, {validation} validieren, {test} sind für den Test zurückgelegt.</translation>
    </message>
    <message>
        <source>By &amp;shares, at random, the same in every class</source>
        <translation>Nach &amp;Anteilen, zufällig, in jeder Klasse gleich</translation>
    </message>
    <message>
        <source>As a &amp;column says</source>
        <translation>Wie eine &amp;Spalte sagt</translation>
    </message>
    <message>
        <source>Column that names the parts</source>
        <translation>Spalte, die die Teile nennt</translation>
    </message>
    <message>
        <source>No column has the few values that would name the parts.</source>
        <translation>Keine Spalte hat die wenigen Werte, die die Teile nennen könnten.</translation>
    </message>
    <message>
        <source>&amp;Divide</source>
        <translation>Auf&amp;teilen</translation>
    </message>
    <message>
        <source>Grid to type a table into; the first row holds the names</source>
        <translation>Raster, um eine Tabelle einzutippen; die erste Zeile enthält die Namen</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>Paste or type a table</source>
        <translation>Tabelle einfügen oder eintippen</translation>
    </message>
    <message>
        <source>Paste or type a table: names in the first row, one row for each case below.</source>
        <translation>Fügen Sie eine Tabelle ein, oder tippen Sie sie: Namen in der ersten Zeile, darunter eine Zeile für jeden Fall.</translation>
    </message>
    <message>
        <source>Looking at the text…</source>
        <translation>Der Text wird angesehen…</translation>
    </message>
    <message>
        <source>Correct the text first.</source>
        <translation>Berichtigen Sie zuerst den Text.</translation>
    </message>
    <message>
        <source>One column only: a tree needs a target and at least one feature.</source>
        <translation>Nur eine Spalte: Ein Baum braucht eine Zielspalte und mindestens ein Merkmal.</translation>
    </message>
    <message>
        <source>There are names but no rows yet.</source>
        <translation>Es gibt Namen, aber noch keine Zeilen.</translation>
    </message>
    <message>
        <source>This text is too long to be pasted: save it to a file and open the file.</source>
        <translation>Dieser Text ist zu lang zum Einfügen: Speichern Sie ihn in eine Datei, und öffnen Sie die Datei.</translation>
    </message>
    <message>
        <source>Looking at the text</source>
        <translation>Der Text wird angesehen</translation>
    </message>
    <message>
        <source>The table as text</source>
        <translation>Die Tabelle als Text</translation>
    </message>
    <message>
        <source>&amp;Paste text</source>
        <translation>Text &amp;einfügen</translation>
    </message>
    <message>
        <source>&amp;Type into a grid</source>
        <translation>In ein &amp;Raster tippen</translation>
    </message>
    <message>
        <source>What will be read</source>
        <translation>Was gelesen wird</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>Copy cells from a spreadsheet or lines of a CSV file, or type a few rows yourself.</source>
        <translation>Kopieren Sie Zellen aus einer Tabellenkalkulation oder Zeilen einer CSV-Datei, oder tippen Sie selbst einige Zeilen.</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 Knoten</translation>
    </message>
    <message>
        <source>{n} nodes</source>
        <translation>{n} Knoten</translation>
    </message>
    <message>
        <source>One file with {nodes}, some folded at first, for any browser; it needs no network.</source>
        <translation>Eine Datei mit {nodes}, einige zuerst eingeklappt, für jeden Browser; sie braucht kein Netz.</translation>
    </message>
    <message>
        <source>One file with {nodes}, for any browser; it needs no network.</source>
        <translation>Eine Datei mit {nodes}, für jeden Browser; sie braucht kein Netz.</translation>
    </message>
    <message>
        <source>1 page of {paper}: {detail}.</source>
        <translation>1 Seite {paper}: {detail}.</translation>
    </message>
    <message>
        <source>{n} pages, {rows} × {columns}, of {paper}: {detail}.</source>
        <translation>{n} Seiten, {rows} × {columns}, {paper}: {detail}.</translation>
    </message>
    <message>
        <source>1 page of {wide} × {high} mm: {detail}.</source>
        <translation>1 Seite von {wide} × {high} mm: {detail}.</translation>
    </message>
    <message>
        <source>{wide} × {high} pixels: {detail}.</source>
        <translation>{wide} × {high} Pixel: {detail}.</translation>
    </message>
    <message>
        <source>The tree is drawn closer together, for a PNG holds {area} million pixels, {side} a side: SVG and PDF keep it whole.</source>
        <translation>Der Baum ist enger gezeichnet, denn ein PNG fasst {area} Millionen Pixel, {side} je Seite: SVG und PDF zeigen ihn ganz.</translation>
    </message>
    <message>
        <source>Image scale × {scale}, for a PNG holds {area} million pixels, {side} a side.</source>
        <translation>Bildmaßstab × {scale}, denn ein PNG fasst {area} Millionen Pixel, {side} je Seite.</translation>
    </message>
    <message>
        <source>{folds}; {words}</source>
        <translation>{folds}; {words}</translation>
    </message>
    <message>
        <source>as the view shows it</source>
        <translation>wie die Ansicht es zeigt</translation>
    </message>
    <message>
        <source>{some} of {n} nodes have room for words, the others are bars</source>
        <translation>{some} von {n} Knoten haben Platz für Wörter, die anderen sind Balken</translation>
    </message>
    <message>
        <source>every node has its words</source>
        <translation>jeder Knoten hat seine Wörter</translation>
    </message>
    <message>
        <source>{some} of {n} nodes have room for words, the others are boxes</source>
        <translation>{some} von {n} Knoten haben Platz für Wörter, die anderen sind Kästen</translation>
    </message>
    <message>
        <source>small cards show their names only</source>
        <translation>kleine Karten zeigen nur ihre Namen</translation>
    </message>
    <message>
        <source>every card is whole</source>
        <translation>jede Karte ist ganz</translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <source>SVG drawing, with real text</source>
        <translation>SVG-Zeichnung, mit echtem Text</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Page for browsers that zooms and folds</source>
        <translation>Seite für Browser, die vergrößert und einklappt</translation>
    </message>
    <message>
        <source>As large as it needs</source>
        <translation>So groß wie nötig</translation>
    </message>
    <message>
        <source>Another size</source>
        <translation>Eine andere Größe</translation>
    </message>
    <message>
        <source>One page, as large as the tree</source>
        <translation>Eine Seite, so groß wie der Baum</translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation>Folie, 16:9</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Light, on white paper</source>
        <translation>Hell, auf weißem Papier</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>2 is sharp in print and on dense screens</source>
        <translation>2 ist scharf im Druck und auf dichten Bildschirmen</translation>
    </message>
    <message>
        <source>Split over pa&amp;ges, to be pasted together</source>
        <translation>Auf Sei&amp;ten verteilen, die zusammengeklebt werden</translation>
    </message>
    <message>
        <source>&amp;Legend</source>
        <translation>&amp;Legende</translation>
    </message>
    <message>
        <source>&amp;Fit figures</source>
        <translation>&amp;Gütemaße</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>F&amp;ormat</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>G&amp;röße</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>&amp;Image scale</source>
        <translation>&amp;Bildmaßstab</translation>
    </message>
    <message>
        <source>&amp;Paper</source>
        <translation>&amp;Papier</translation>
    </message>
    <message>
        <source>Size of the car&amp;ds</source>
        <translation>Größe der &amp;Karten</translation>
    </message>
    <message>
        <source>Colou&amp;rs</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>Bild exportieren</translation>
    </message>
    <message>
        <source>The &amp;whole tree</source>
        <translation>Der &amp;ganze Baum</translation>
    </message>
    <message>
        <source>What the &amp;view shows</source>
        <translation>Was die &amp;Ansicht zeigt</translation>
    </message>
    <message>
        <source>Folded branches sta&amp;y folded</source>
        <translation>Eingeklappte Zweige &amp;bleiben eingeklappt</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>&amp;Dialect</source>
        <translation>&amp;Dialekt</translation>
    </message>
    <message>
        <source>&amp;Content</source>
        <translation>&amp;Inhalt</translation>
    </message>
    <message>
        <source>whole query</source>
        <translation>ganze Abfrage</translation>
    </message>
    <message>
        <source>expression of the prediction</source>
        <translation>Ausdruck der Vorhersage</translation>
    </message>
    <message>
        <source>expression of the leaf</source>
        <translation>Ausdruck des Blattes</translation>
    </message>
    <message>
        <source>SQL Server</source>
        <translation>SQL Server</translation>
    </message>
    <message>
        <source>Export code</source>
        <translation>Code exportieren</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Approximate: rows without a value go into the largest branch</source>
        <translation>&amp;Näherung: Zeilen ohne Wert gehen in den größten Zweig</translation>
    </message>
    <message>
        <source>The tree as code</source>
        <translation>Der Baum als Code</translation>
    </message>
    <message>
        <source>A workbook of three sheets.

“rows”: the columns that the tree asks for are pasted at the left; formulas in the first 1,000 rows give the leaf, the prediction and, of classes, the probabilities.

“leaves”: each leaf with what it predicts, its rows and its rule.

“about”: how to use it.</source>
        <translation>Eine Arbeitsmappe mit drei Blättern.

„rows“: Die Spalten, nach denen der Baum fragt, werden links eingefügt; Formeln in den ersten 1.000 Zeilen nennen Blatt, Vorhersage und, bei Klassen, die Wahrscheinlichkeiten.

„leaves“: jedes Blatt mit seiner Vorhersage, seinen Zeilen und seiner Regel.

„about“: wie man sie benutzt.</translation>
    </message>
    <message>
        <source>A model for onnxruntime and others. Each column that the tree asks for is an input; the leaf, the prediction and, of classes, the probabilities are its outputs.</source>
        <translation>Ein Modell für onnxruntime und andere. Jede Spalte, nach der der Baum fragt, ist eine Eingabe; Blatt, Vorhersage und, bei Klassen, die Wahrscheinlichkeiten sind die Ausgaben.</translation>
    </message>
    <message>
        <source>A fitted pipeline of scikit-learn, saved by skops. It takes a data frame with the columns that the tree asks for.</source>
        <translation>Eine angepasste Pipeline von scikit-learn, mit skops gespeichert. Sie nimmt einen DataFrame mit den Spalten, nach denen der Baum fragt.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Writing the tree…</source>
        <translation>Der Baum wird geschrieben…</translation>
    </message>
    <message>
        <source>Writing the tree</source>
        <translation>Der Baum wird geschrieben</translation>
    </message>
    <message>
        <source>&amp;Approximate: the tree is cut back to {levels} levels</source>
        <translation>&amp;Annähern: der Baum wird auf {levels} Ebenen gestutzt</translation>
    </message>
    <message>
        <source>&amp;Approximate: rows without a value go into the largest branch, and the tree is cut back to {levels} levels</source>
        <translation>&amp;Annähern: Zeilen ohne Wert gehen in den größten Zweig, und der Baum wird auf {levels} Ebenen gestutzt</translation>
    </message>
    <message>
        <source>This is text to read and not code to run, so there is nothing to check.</source>
        <translation>Das ist Text zum Lesen und kein Code, der läuft: Es gibt nichts zu prüfen.</translation>
    </message>
    <message>
        <source>Checking: the code runs on the rows of the table and on rows that are made to find mistakes…</source>
        <translation>Prüfung: Der Code läuft auf den Zeilen der Tabelle und auf Zeilen, die gemacht sind, um Fehler zu finden…</translation>
    </message>
    <message>
        <source>Checking the code</source>
        <translation>Der Code wird geprüft</translation>
    </message>
    <message>
        <source>{lines} lines.</source>
        <translation>{lines} Zeilen.</translation>
    </message>
    <message>
        <source>{lines} lines, of which the first {shown} are shown.</source>
        <translation>{lines} Zeilen, von denen die ersten {shown} gezeigt sind.</translation>
    </message>
    <message>
        <source>{n} bytes.</source>
        <translation>{n} Bytes.</translation>
    </message>
    <message>
        <source>Do not use this code: only {n} of {rows} rows agree, run by {program}.</source>
        <translation>Verwenden Sie diesen Code nicht: Nur {n} von {rows} Zeilen stimmen überein, ausgeführt von {program}.</translation>
    </message>
    <message>
        <source>Checked: {n} of {rows} rows agree with the approximated tree, run by {program}. The tree itself answers {changed} of them otherwise.</source>
        <translation>Geprüft: {n} von {rows} Zeilen stimmen mit dem genäherten Baum überein, ausgeführt von {program}. Der Baum selbst antwortet bei {changed} davon anders.</translation>
    </message>
    <message>
        <source>Checked: {n} of {rows} rows agree, run by {program}.</source>
        <translation>Geprüft: {n} von {rows} Zeilen stimmen überein, ausgeführt von {program}.</translation>
    </message>
    <message>
        <source>The check went wrong; the log has the details.</source>
        <translation>Beim Prüfen ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>The export went wrong; the log has the details.</source>
        <translation>Beim Exportieren ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Puts the picture on the clipboard</source>
        <translation>Legt das Bild in die Zwischenablage</translation>
    </message>
    <message>
        <source>A page for browsers holds the whole tree or a branch.</source>
        <translation>Eine Seite für Browser enthält den ganzen Baum oder einen Zweig.</translation>
    </message>
    <message>
        <source>The view shows them folded.</source>
        <translation>Die Ansicht zeigt sie eingeklappt.</translation>
    </message>
    <message>
        <source>From {first} to {last}</source>
        <translation>Von {first} bis {last}</translation>
    </message>
    <message>
        <source>The {shown} most frequent of {levels} levels</source>
        <translation>Die {shown} häufigsten von {levels} Ausprägungen</translation>
    </message>
    <message>
        <source>The {shown} first of {levels} levels</source>
        <translation>Die ersten {shown} von {levels} Ausprägungen</translation>
    </message>
    <message>
        <source>Empty: it is missing in every row.</source>
        <translation>Leer: Sie fehlt in jeder Zeile.</translation>
    </message>
    <message>
        <source>One value only: “{value}”. There is nothing to split.</source>
        <translation>Nur ein Wert: „{value}“. Es gibt nichts zu teilen.</translation>
    </message>
    <message>
        <source>Nearly unique: {values} different values in {rows} rows. It may name the row rather than describe it.</source>
        <translation>Fast eindeutig: {values} verschiedene Werte in {rows} Zeilen. Sie benennt vielleicht die Zeile, statt sie zu beschreiben.</translation>
    </message>
    <message>
        <source>{levels} levels in {rows} rows: splits by it would fit single rows. It is best ignored, or made a group.</source>
        <translation>{levels} Stufen in {rows} Zeilen: Teilungen danach würden sich einzelnen Zeilen anpassen. Am besten wird die Spalte ignoriert oder zur Gruppe gemacht.</translation>
    </message>
    <message>
        <source>Near-perfect alone ({share} right): is it known only after the outcome?</source>
        <translation>Allein fast vollkommen ({share} richtig): Ist sie erst nach dem Ergebnis bekannt?</translation>
    </message>
    <message>
        <source>Near-perfect alone ({share} of the variance explained): is it known only after the outcome?</source>
        <translation>Allein fast vollkommen ({share} der Varianz erklärt): Ist sie erst nach dem Ergebnis bekannt?</translation>
    </message>
    <message>
        <source>Order of “{column}”</source>
        <translation>Ordnung von „{column}“</translation>
    </message>
    <message>
        <source>{level}: {rows}</source>
        <translation>{level}: {rows}</translation>
    </message>
    <message>
        <source>Levels, lowest first</source>
        <translation>Ausprägungen, niedrigste zuerst</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>A&amp;ufwärts</translation>
    </message>
    <message>
        <source>Up ({keys})</source>
        <translation>Aufwärts ({keys})</translation>
    </message>
    <message>
        <source>Down ({keys})</source>
        <translation>Abwärts ({keys})</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>&amp;Abwärts</translation>
    </message>
    <message>
        <source>&amp;Reverse</source>
        <translation>&amp;Umkehren</translation>
    </message>
    <message>
        <source>&amp;Sort</source>
        <translation>&amp;Sortieren</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>The lowest level stands first. A split cuts this list between two levels.</source>
        <translation>Die niedrigste Ausprägung steht zuerst. Eine Teilung trennt diese Liste zwischen zwei Ausprägungen.</translation>
    </message>
    <message>
        <source>Rows by value</source>
        <translation>Zeilen nach Wert</translation>
    </message>
    <message>
        <source>Profile of “{column}”</source>
        <translation>Profil von „{column}“</translation>
    </message>
    <message>
        <source>Folds or unfolds the profile of “{column}”</source>
        <translation>Klappt das Profil von „{column}“ ein oder aus</translation>
    </message>
    <message>
        <source>Mean {mean}, median {median}</source>
        <translation>Mittelwert {mean}, Median {median}</translation>
    </message>
    <message>
        <source>Quartiles {lower} and {upper}</source>
        <translation>Quartile {lower} und {upper}</translation>
    </message>
    <message>
        <source>Minimum {low}, maximum {high}</source>
        <translation>Minimum {low}, Maximum {high}</translation>
    </message>
    <message>
        <source>1 more level</source>
        <translation>1 weitere Ebene</translation>
    </message>
    <message>
        <source>{n} more levels</source>
        <translation>{n} weitere Ebenen</translation>
    </message>
    <message>
        <source>Drawn from {n} rows: figures are estimates</source>
        <translation>Aus {n} Zeilen gezogen: Die Zahlen sind Schätzungen</translation>
    </message>
    <message>
        <source>Missing in {missing} of {rows} rows ({share})</source>
        <translation>Fehlt in {missing} von {rows} Zeilen ({share})</translation>
    </message>
    <message>
        <source>Choose a tree above: it stands beside the one on the canvas then, judged by the same rows.</source>
        <translation>Wählen Sie oben einen Baum: Er steht dann neben dem auf der Zeichenfläche, nach denselben Zeilen beurteilt.</translation>
    </message>
    <message>
        <source>A tree from a file…</source>
        <translation>Ein Baum aus einer Datei…</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Training absolute error</source>
        <translation>Absoluter Fehler im Training</translation>
    </message>
    <message>
        <source>Validation absolute error</source>
        <translation>Absoluter Fehler in der Validierung</translation>
    </message>
    <message>
        <source>Training squared error</source>
        <translation>Quadratischer Fehler im Training</translation>
    </message>
    <message>
        <source>Validation squared error</source>
        <translation>Quadratischer Fehler in der Validierung</translation>
    </message>
    <message>
        <source>Training cost</source>
        <translation>Kosten im Training</translation>
    </message>
    <message>
        <source>Validation cost</source>
        <translation>Kosten in der Validierung</translation>
    </message>
    <message>
        <source>Training R²</source>
        <translation>R² im Training</translation>
    </message>
    <message>
        <source>Validation R²</source>
        <translation>R² in der Validierung</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>{error} ({low} to {high})</source>
        <translation>{error} ({low} bis {high})</translation>
    </message>
    <message>
        <source>There are no training rows to compare the trees by.</source>
        <translation>Es gibt keine Trainingszeilen, an denen sich die Bäume vergleichen ließen.</translation>
    </message>
    <message>
        <source>There are no validation rows to compare the trees by.</source>
        <translation>Es gibt keine Validierungszeilen, an denen sich die Bäume vergleichen ließen.</translation>
    </message>
    <message>
        <source>{n} training rows</source>
        <translation>{n} Trainingszeilen</translation>
    </message>
    <message>
        <source>{n} validation rows</source>
        <translation>{n} Validierungszeilen</translation>
    </message>
    <message>
        <source>Of {rows} the trees predict none differently.</source>
        <translation>Von {rows} sagen die Bäume keine verschieden vorher.</translation>
    </message>
    <message>
        <source>Of {rows} the trees predict {differ} ({share}) differently.</source>
        <translation>Von {rows} sagen die Bäume {differ} ({share}) verschieden vorher.</translation>
    </message>
    <message>
        <source>Only the tree on the canvas is right on {first} of them, only the other on {second}; McNemar&apos;s test: {chance}.</source>
        <translation>Nur der Baum auf der Zeichenfläche hat bei {first} davon recht, nur der andere bei {second}; McNemars Test: {chance}.</translation>
    </message>
    <message>
        <source>Paired test of the errors: {chance}.</source>
        <translation>Gepaarter Test der Fehler: {chance}.</translation>
    </message>
    <message>
        <source>Both trees were grown on the training rows, so the larger one looks better on them than it is.</source>
        <translation>Beide Bäume sind auf den Trainingszeilen gewachsen, also sieht der größere auf ihnen besser aus, als er ist.</translation>
    </message>
    <message>
        <source>Guess first: choose a column in the panel “Why”.</source>
        <translation>Schätzen Sie zuerst: Wählen Sie eine Spalte im Bereich „Warum“.</translation>
    </message>
    <message>
        <source>Your split has LogWorth {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}.</source>
        <translation>Ihre Teilung hat LogWorth {mine}, die beste ({best}) {its}: {share}; „{column}“ hat Rang {rank} von {n}.</translation>
    </message>
    <message>
        <source>The ranking is hidden while you guess: enter your guess in the panel “Why”, or show the ranking there.</source>
        <translation>Die Rangfolge ist verborgen, solange Sie raten: Geben Sie Ihre Schätzung im Bereich „Warum“ ein, oder zeigen Sie dort die Rangfolge.</translation>
    </message>
    <message>
        <source>1 guess</source>
        <translation>1 Schätzung</translation>
    </message>
    <message>
        <source>{n} guesses</source>
        <translation>{n} Schätzungen</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>twice</source>
        <translation>zweimal</translation>
    </message>
    <message>
        <source>{n} times</source>
        <translation>{n}-mal</translation>
    </message>
    <message>
        <source>{guesses}: {mean} of the best gain on average, the best column {times}.</source>
        <translation>{guesses}: im Mittel {mean} des besten Gewinns, die beste Spalte {times}.</translation>
    </message>
    <message>
        <source>Drawing “{column}”</source>
        <translation>„{column}“ wird gezeichnet</translation>
    </message>
    <message>
        <source>Your split has the ratio {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}.</source>
        <translation>Ihre Teilung hat das Verhältnis {mine}, die beste ({best}) {its}: {share}; „{column}“ steht auf Rang {rank} von {n}.</translation>
    </message>
    <message>
        <source>Your split gains {mine}, the best ({best}) {its}: {share}; “{column}” is rank {rank} of {n}.</source>
        <translation>Ihre Teilung gewinnt {mine}, die beste ({best}) {its}: {share}; „{column}“ steht auf Rang {rank} von {n}.</translation>
    </message>
    <message>
        <source>too few rows to tell</source>
        <translation>zu wenige Zeilen, um es zu sagen</translation>
    </message>
    <message>
        <source>p = {p}, chance alone seldom makes as much</source>
        <translation>p = {p}, Zufall allein bewirkt selten so viel</translation>
    </message>
    <message>
        <source>p = {p}, chance alone often makes as much</source>
        <translation>p = {p}, Zufall allein bewirkt oft so viel</translation>
    </message>
    <message>
        <source>Their errors are the same (95 %: {interval}).</source>
        <translation>Ihre Fehler sind gleich (95 %: {interval}).</translation>
    </message>
    <message>
        <source>The tree on the canvas errs {size} less (95 %: {interval}).</source>
        <translation>Der Baum auf der Zeichenfläche irrt um {size} weniger (95 %: {interval}).</translation>
    </message>
    <message>
        <source>The tree on the canvas errs {size} more (95 %: {interval}).</source>
        <translation>Der Baum auf der Zeichenfläche irrt um {size} mehr (95 %: {interval}).</translation>
    </message>
    <message>
        <source>Training profit per row</source>
        <translation>Trainingsertrag je Zeile</translation>
    </message>
    <message>
        <source>Validation profit per row</source>
        <translation>Validierungsertrag je Zeile</translation>
    </message>
    <message>
        <source>Training AUC of {label}</source>
        <translation>AUC von {label} im Training</translation>
    </message>
    <message>
        <source>Validation AUC of {label}</source>
        <translation>AUC von {label} in der Validierung</translation>
    </message>
    <message>
        <source>Training log loss</source>
        <translation>Log-Loss im Training</translation>
    </message>
    <message>
        <source>Validation log loss</source>
        <translation>Log-Loss in der Validierung</translation>
    </message>
    <message>
        <source>Training Brier score</source>
        <translation>Brier-Score im Training</translation>
    </message>
    <message>
        <source>Validation Brier score</source>
        <translation>Brier-Score in der Validierung</translation>
    </message>
    <message>
        <source>Training miscalibration</source>
        <translation>Fehlkalibrierung im Training</translation>
    </message>
    <message>
        <source>Validation miscalibration</source>
        <translation>Fehlkalibrierung in der Validierung</translation>
    </message>
    <message>
        <source>Paired test on rows that did not choose: {chance}.</source>
        <translation>Gepaarter Test auf Zeilen, die nicht gewählt haben: {chance}.</translation>
    </message>
    <message>
        <source>The validation rows chose one of the trees, so the test, the difference and the interval are of trees chosen again without a fifth of them at a time, and judged by that fifth.</source>
        <translation>Die Validierungszeilen haben einen der Bäume gewählt. Test, Unterschied und Intervall gelten deshalb für Bäume, die jeweils ohne ein Fünftel von ihnen neu gewählt und an diesem Fünftel beurteilt wurden.</translation>
    </message>
    <message>
        <source>{n} trees were compared by the validation rows: one that was chosen among them looks better on these rows than it is. The test and the interval do not know that; test rows would.</source>
        <translation>{n} Bäume wurden an den Validierungszeilen verglichen: Einer, der unter ihnen gewählt wurde, sieht auf diesen Zeilen besser aus, als er ist. Test und Intervall wissen das nicht; Testzeilen wüssten es.</translation>
    </message>
    <message>
        <source>Too few rows are {label}, or are not, to tell whether the AUC differs by chance.</source>
        <translation>Zu wenige Zeilen sind {label} oder sind es nicht, um zu sagen, ob sich die AUC durch Zufall unterscheidet.</translation>
    </message>
    <message>
        <source>The AUC of {label} is the same (95 %: {interval}).</source>
        <translation>Die AUC von {label} ist dieselbe (95 %: {interval}).</translation>
    </message>
    <message>
        <source>The AUC of {label} of the tree on the canvas is {size} more (95 %: {interval}).</source>
        <translation>Die AUC von {label} ist beim Baum auf der Zeichenfläche um {size} größer (95 %: {interval}).</translation>
    </message>
    <message>
        <source>The AUC of {label} of the tree on the canvas is {size} less (95 %: {interval}).</source>
        <translation>Die AUC von {label} ist beim Baum auf der Zeichenfläche um {size} kleiner (95 %: {interval}).</translation>
    </message>
    <message>
        <source>The validation rows chose one of the trees, and this interval does not know that.</source>
        <translation>Die Validierungszeilen haben einen der Bäume gewählt, und dieses Intervall weiß das nicht.</translation>
    </message>
    <message>
        <source>DeLong&apos;s test: {chance}.</source>
        <translation>DeLongs Test: {chance}.</translation>
    </message>
    <message>
        <source>{low} less to {high} more</source>
        <translation>{low} weniger bis {high} mehr</translation>
    </message>
    <message>
        <source>{near} to {far} less</source>
        <translation>{near} bis {far} weniger</translation>
    </message>
    <message>
        <source>{near} to {far} more</source>
        <translation>{near} bis {far} mehr</translation>
    </message>
    <message>
        <source>{n} pp</source>
        <translation>{n} pp</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Colour the canvas where they differ</source>
        <translation>Zeichenfläche färben, wo sie sich unterscheiden</translation>
    </message>
    <message>
        <source>Copies the table and the sentences as text</source>
        <translation>Kopiert die Tabelle und die Sätze als Text</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>On the canvas</source>
        <translation>Auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>The other tree</source>
        <translation>Der andere Baum</translation>
    </message>
    <message>
        <source>Figures of both trees</source>
        <translation>Zahlen beider Bäume</translation>
    </message>
    <message>
        <source>Apart</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>How far the predictions are apart: half the sum of the differences of all probabilities, or the difference of the numbers</source>
        <translation>Wie weit die Vorhersagen auseinander liegen: die halbe Summe der Unterschiede aller Wahrscheinlichkeiten, oder der Unterschied der Zahlen</translation>
    </message>
    <message>
        <source>Rows that the trees predict otherwise, by their leaves</source>
        <translation>Zeilen, die die Bäume verschieden vorhersagen, nach ihren Blättern</translation>
    </message>
    <message>
        <source>Lists the rows that the trees predict otherwise, by their leaves; a click follows them</source>
        <translation>Führt die Zeilen auf, die die Bäume verschieden vorhersagen, nach ihren Blättern; ein Klick verfolgt sie</translation>
    </message>
    <message>
        <source>Who moves</source>
        <translation>Wer wechselt</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft…</translation>
    </message>
    <message>
        <source>Open a table and grow a tree first.</source>
        <translation>Öffnen Sie zuerst eine Tabelle, und lassen Sie einen Baum wachsen.</translation>
    </message>
    <message>
        <source>Compare with a tree</source>
        <translation>Mit einem Baum vergleichen</translation>
    </message>
    <message>
        <source>Trees (*.json)</source>
        <translation>Bäume (*.json)</translation>
    </message>
    <message>
        <source>The other tree: {name}</source>
        <translation>Der andere Baum: {name}</translation>
    </message>
    <message>
        <source>Error on the training rows after the step: the share of wrong labels, or the mean squared error (MSE; where leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which the labels minimise</source>
        <translation>Fehler auf den Trainingszeilen nach dem Schritt: der Anteil falscher Vorhersagen, oder der mittlere quadratische Fehler (MSE; wo Blätter Mediane vorhersagen, der mittlere absolute Fehler, MAE); mit Kosten oder A-priori-Anteilen auch die mittleren Kosten einer Zeile, die die Vorhersagen möglichst klein machen</translation>
    </message>
    <message>
        <source>Error on the validation rows after the step: the share of wrong labels, or the mean squared error (MSE; where leaves predict medians the mean absolute error, MAE); with costs or priors also the mean cost of a row, which the labels minimise</source>
        <translation>Fehler auf den Validierungszeilen nach dem Schritt: der Anteil falscher Vorhersagen, oder der mittlere quadratische Fehler (MSE; wo Blätter Mediane vorhersagen, der mittlere absolute Fehler, MAE); mit Kosten oder A-priori-Anteilen auch die mittleren Kosten einer Zeile, die die Vorhersagen möglichst klein machen</translation>
    </message>
    <message>
        <source>Training error against the step before, shares in percentage points (pp), or with costs or priors the mean cost: + is worse, − is better</source>
        <translation>Trainingsfehler gegen den Schritt davor, Anteile in Prozentpunkten (pp), oder mit Kosten oder A-priori-Anteilen die mittleren Kosten: + ist schlechter, − ist besser</translation>
    </message>
    <message>
        <source>Validation error against the step before, shares in percentage points (pp), or with costs or priors the mean cost: + is worse, − is better</source>
        <translation>Validierungsfehler gegen den Schritt davor, Anteile in Prozentpunkten (pp), oder mit Kosten oder A-priori-Anteilen die mittleren Kosten: + ist schlechter, − ist besser</translation>
    </message>
    <message>
        <source>Errors after every step; arrow keys go to the step before or after</source>
        <translation>Fehler nach jedem Schritt; Pfeiltasten gehen zum Schritt davor oder danach</translation>
    </message>
    <message>
        <source>train {error}</source>
        <translation>Train. {error}</translation>
    </message>
    <message>
        <source>valid {error}</source>
        <translation>Valid. {error}</translation>
    </message>
    <message>
        <source>{share} · cost {cost}</source>
        <translation>{share} · Kosten {cost}</translation>
    </message>
    <message>
        <source>step {n}</source>
        <translation>Schritt {n}</translation>
    </message>
    <message>
        <source>current step {n}</source>
        <translation>aktueller Schritt {n}</translation>
    </message>
    <message>
        <source>undone step {n}</source>
        <translation>rückgängig gemachter Schritt {n}</translation>
    </message>
    <message>
        <source>{place}: {step}, {leaves}, training error {error}</source>
        <translation>{place}: {step}, {leaves}, Trainingsfehler {error}</translation>
    </message>
    <message>
        <source>Training MSE</source>
        <translation>MSE im Training</translation>
    </message>
    <message>
        <source>Validation MSE</source>
        <translation>MSE in der Validierung</translation>
    </message>
    <message>
        <source>Training MAE</source>
        <translation>MAE im Training</translation>
    </message>
    <message>
        <source>Validation MAE</source>
        <translation>MAE in der Validierung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>What was done; a click goes back to the tree after it</source>
        <translation>Was getan wurde; ein Klick geht zurück zum Baum danach</translation>
    </message>
    <message>
        <source>Leaves of the tree after the step</source>
        <translation>Blätter des Baumes nach dem Schritt</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Steps made so far; Enter goes to one</source>
        <translation>Bisherige Schritte; Eingabe geht zu einem</translation>
    </message>
    <message>
        <source>Open a table: every step that you make will be listed here.</source>
        <translation>Öffnen Sie eine Tabelle: Jeder Schritt, den Sie tun, wird hier aufgeführt.</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Trees compared: how many had a validation figure to choose by; the best of many figures is too good.</source>
        <translation>Verglichene Bäume: wie viele eine Validierungszahl hatten, nach der man wählen konnte; die beste von vielen Zahlen ist zu gut.</translation>
    </message>
    <message>
        <source>Profit: what a row earns on average where each leaf is acted on if that earns more than not acting.</source>
        <translation>Ertrag: was eine Zeile im Mittel bringt, wenn bei jedem Blatt gehandelt wird, wo das mehr bringt, als nicht zu handeln.</translation>
    </message>
    <message>
        <source>Cost: what a row costs on average, mistakes at their costs and classes by their priors; the labels of such leaves make it small, even where that makes the error larger.</source>
        <translation>Kosten: was eine Zeile im Mittel kostet, Fehler nach ihren Kosten und Klassen nach ihren A-priori-Anteilen; die Vorhersagen solcher Blätter machen sie klein, auch wo das den Fehler vergrößert.</translation>
    </message>
    <message>
        <source>Compiling what this needs, once…</source>
        <translation>Das Nötige wird einmalig kompiliert…</translation>
    </message>
    <message>
        <source>Criterion</source>
        <translation>Kriterium</translation>
    </message>
    <message>
        <source>The criterion by which splits are ranked: open a table first</source>
        <translation>Das Kriterium, nach dem Teilungen gereiht werden: Öffnen Sie zuerst eine Tabelle</translation>
    </message>
    <message>
        <source>Splits are ranked by {criterion}: {formula}</source>
        <translation>Teilungen sind gereiht nach {criterion}: {formula}</translation>
    </message>
    <message>
        <source>Sets all options of the search to those of a known method</source>
        <translation>Setzt alle Suchoptionen auf die eines bekannten Verfahrens</translation>
    </message>
    <message>
        <source>Preset of the search options</source>
        <translation>Voreinstellung der Suchoptionen</translation>
    </message>
    <message>
        <source>profit per row: {figures}</source>
        <translation>Ertrag je Zeile: {figures}</translation>
    </message>
    <message>
        <source>{figures} ({honest} on rows that did not choose)</source>
        <translation>{figures} ({honest} auf Zeilen, die nicht gewählt haben)</translation>
    </message>
    <message>
        <source>{figures} ({compared})</source>
        <translation>{figures} ({compared})</translation>
    </message>
    <message>
        <source>{figures} ({compared}; {honest} on rows that did not choose)</source>
        <translation>{figures} ({compared}; {honest} auf Zeilen, die nicht gewählt haben)</translation>
    </message>
    <message>
        <source>{rows}, {rate}</source>
        <translation>{rows}, {rate}</translation>
    </message>
    <message>
        <source>Own options</source>
        <translation>Eigene Optionen</translation>
    </message>
    <message>
        <source>Fit of the tree</source>
        <translation>Güte des Baumes</translation>
    </message>
    <message>
        <source>depth {depth}</source>
        <translation>Tiefe {depth}</translation>
    </message>
    <message>
        <source>train {train}, valid {valid}</source>
        <translation>Train. {train}, Valid. {valid}</translation>
    </message>
    <message>
        <source>train {train}</source>
        <translation>Train. {train}</translation>
    </message>
    <message>
        <source>valid {valid}</source>
        <translation>Valid. {valid}</translation>
    </message>
    <message>
        <source>error: {figures}</source>
        <translation>Fehler: {figures}</translation>
    </message>
    <message>
        <source>absolute error explained {figures}</source>
        <translation>absoluter Fehler erklärt {figures}</translation>
    </message>
    <message>
        <source>R² {figures}</source>
        <translation>R² {figures}</translation>
    </message>
    <message>
        <source>cost: {figures}</source>
        <translation>Kosten: {figures}</translation>
    </message>
    <message>
        <source>Training and validation: the share of rows with the wrong label.</source>
        <translation>Training und Validierung: der Anteil der falsch vorhergesagten Zeilen.</translation>
    </message>
    <message>
        <source>Training and validation: the share of the absolute error of the root that the tree takes away.</source>
        <translation>Training und Validierung: der Anteil am absoluten Fehler der Wurzel, den der Baum beseitigt.</translation>
    </message>
    <message>
        <source>Training and validation: R², the share of the squared error of the root that the tree takes away.</source>
        <translation>Training und Validierung: R², der Anteil am quadratischen Fehler der Wurzel, den der Baum beseitigt.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Stops the work and keeps what is valid so far (Esc)</source>
        <translation>Hält die Arbeit an und behält, was bis dahin gültig ist (Esc)</translation>
    </message>
    <message>
        <source>Stop the work</source>
        <translation>Die Arbeit anhalten</translation>
    </message>
    <message>
        <source>{job}…</source>
        <translation>{job}…</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>info</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>training {measure} stays {now}</source>
        <translation>{measure} im Training bleibt {now}</translation>
    </message>
    <message>
        <source>training {measure} {was} → {now}</source>
        <translation>{measure} im Training {was} → {now}</translation>
    </message>
    <message>
        <source>validation {measure} stays {now}</source>
        <translation>{measure} der Validierung bleibt {now}</translation>
    </message>
    <message>
        <source>validation {measure} {was} → {now}</source>
        <translation>{measure} der Validierung {was} → {now}</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>profit per row {was} → {now}</source>
        <translation>Ertrag je Zeile {was} → {now}</translation>
    </message>
    <message>
        <source>profit per row {now}</source>
        <translation>Ertrag je Zeile {now}</translation>
    </message>
    <message>
        <source>{level}: {message}</source>
        <translation>{level}: {message}</translation>
    </message>
    <message>
        <source>Copies this sentence</source>
        <translation>Kopiert diesen Satz</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Way to the node</source>
        <translation>Weg zum Knoten</translation>
    </message>
    <message>
        <source>{condition} (row: {value})</source>
        <translation>{condition} (Zeile: {value})</translation>
    </message>
    <message>
        <source>This node</source>
        <translation>Dieser Knoten</translation>
    </message>
    <message>
        <source>{rows}, mean {mean}</source>
        <translation>{rows}, Mittelwert {mean}</translation>
    </message>
    <message>
        <source>{node} · validation {figure} ({rows})</source>
        <translation>{node} · Validierung {figure} ({rows})</translation>
    </message>
    <message>
        <source>Esc ends the presentation</source>
        <translation>Esc beendet die Vorführung</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>Open a table to begin</source>
        <translation>Öffnen Sie eine Tabelle, um zu beginnen</translation>
    </message>
    <message>
        <source>The log is “{path}”.</source>
        <translation>Das Protokoll ist „{path}“.</translation>
    </message>
    <message>
        <source>Keeping a copy</source>
        <translation>Eine Kopie wird gesichert</translation>
    </message>
    <message>
        <source>No copy of unsaved work can be kept: {reason}</source>
        <translation>Von der ungesicherten Arbeit kann keine Kopie angelegt werden: {reason}</translation>
    </message>
    <message>
        <source>description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>unsaved work</source>
        <translation>ungesicherte Arbeit</translation>
    </message>
    <message>
        <source>Tables ({suffixes})</source>
        <translation>Tabellen ({suffixes})</translation>
    </message>
    <message>
        <source>All that Espalier opens ({suffixes})</source>
        <translation>Alles, was Espalier öffnet ({suffixes})</translation>
    </message>
    <message>
        <source>Projects ({suffixes})</source>
        <translation>Projekte ({suffixes})</translation>
    </message>
    <message>
        <source>Trees ({suffixes})</source>
        <translation>Bäume ({suffixes})</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open folder of Parquet files</source>
        <translation>Ordner mit Parquet-Dateien öffnen</translation>
    </message>
    <message>
        <source>Looking at {name}</source>
        <translation>{name} wird angesehen</translation>
    </message>
    <message>
        <source>Opening the example</source>
        <translation>Das Beispiel wird geöffnet</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Choose the file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Where is “{name}” now?</source>
        <translation>Wo ist „{name}“ jetzt?</translation>
    </message>
    <message>
        <source>Opening the pasted table</source>
        <translation>Die eingefügte Tabelle wird geöffnet</translation>
    </message>
    <message>
        <source>Espalier project</source>
        <translation>Espalier-Projekt</translation>
    </message>
    <message>
        <source>Save as</source>
        <translation>Speichern unter</translation>
    </message>
    <message>
        <source>The picture is in “{path}”.</source>
        <translation>Das Bild liegt in „{path}“.</translation>
    </message>
    <message>
        <source>Drawing {name}</source>
        <translation>{name} wird gezeichnet</translation>
    </message>
    <message>
        <source>The picture is on the clipboard, {width} × {height} pixels.</source>
        <translation>Das Bild liegt in der Zwischenablage, {width} × {height} Pixel.</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnen läuft</translation>
    </message>
    <message>
        <source>Export JSON</source>
        <translation>JSON exportieren</translation>
    </message>
    <message>
        <source>Tree as JSON</source>
        <translation>Baum als JSON</translation>
    </message>
    <message>
        <source>The tree is in “{path}”.</source>
        <translation>Der Baum liegt in „{path}“.</translation>
    </message>
    <message>
        <source>Export rules</source>
        <translation>Regeln exportieren</translation>
    </message>
    <message>
        <source>Rules as text</source>
        <translation>Regeln als Text</translation>
    </message>
    <message>
        <source>The rules are in “{path}”.</source>
        <translation>Die Regeln liegen in „{path}“.</translation>
    </message>
    <message>
        <source>Text as {program} prints it</source>
        <translation>Text, wie {program} ihn ausdruckt</translation>
    </message>
    <message>
        <source>Export printout</source>
        <translation>Ausdruck exportieren</translation>
    </message>
    <message>
        <source>The printout is in “{path}”.</source>
        <translation>Der Ausdruck ist in „{path}“.</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>Schaubild exportieren</translation>
    </message>
    <message>
        <source>The figure is in “{path}”.</source>
        <translation>Das Schaubild ist in „{path}“.</translation>
    </message>
    <message>
        <source>Write the report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>{name} wird geschrieben</translation>
    </message>
    <message>
        <source>Page to read and print</source>
        <translation>Seite zum Lesen und Drucken</translation>
    </message>
    <message>
        <source>Page on paper</source>
        <translation>Seite auf Papier</translation>
    </message>
    <message>
        <source>Word document</source>
        <translation>Word-Dokument</translation>
    </message>
    <message>
        <source>Figures as JSON</source>
        <translation>Zahlen als JSON</translation>
    </message>
    <message>
        <source>Leaves as CSV</source>
        <translation>Blätter als CSV</translation>
    </message>
    <message>
        <source>Slide with the tree</source>
        <translation>Folie mit dem Baum</translation>
    </message>
    <message>
        <source>Test rows are left out until you look at them (Data ▸ Look at the test rows…).</source>
        <translation>Testzeilen bleiben weg, bis Sie sie ansehen (Daten ▸ Testzeilen ansehen …).</translation>
    </message>
    <message>
        <source>Words of your own at the beginning: what was asked, by whom, and what was decided.</source>
        <translation>Ihre eigenen Worte am Anfang: was gefragt war, von wem, und was entschieden wurde.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>Einleitung</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Preview of the report</source>
        <translation>Vorschau des Berichts</translation>
    </message>
    <message>
        <source>The report is being made…</source>
        <translation>Der Bericht wird gemacht…</translation>
    </message>
    <message>
        <source>&amp;Write…</source>
        <translation>&amp;Schreiben…</translation>
    </message>
    <message>
        <source>Making the report</source>
        <translation>Der Bericht wird gemacht</translation>
    </message>
    <message>
        <source>Of this tree there is nothing to say here.</source>
        <translation>Über diesen Baum gibt es hier nichts zu sagen.</translation>
    </message>
    <message>
        <source>The report went wrong; the log has the details.</source>
        <translation>Beim Bericht ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>The report is in “{path}”.</source>
        <translation>Der Bericht liegt in „{path}“.</translation>
    </message>
    <message>
        <source>Copied: a script of {n} lines.</source>
        <translation>Kopiert: ein Skript mit {n} Zeilen.</translation>
    </message>
    <message>
        <source>Export script</source>
        <translation>Skript exportieren</translation>
    </message>
    <message>
        <source>Python script</source>
        <translation>Python-Skript</translation>
    </message>
    <message>
        <source>The script is in “{path}”.</source>
        <translation>Das Skript liegt in „{path}“.</translation>
    </message>
    <message>
        <source>Writing the script</source>
        <translation>Das Skript wird geschrieben</translation>
    </message>
    <message>
        <source>Export hand-out</source>
        <translation>Handzettel exportieren</translation>
    </message>
    <message>
        <source>Page to print</source>
        <translation>Seite zum Drucken</translation>
    </message>
    <message>
        <source>The hand-out is in “{path}”.</source>
        <translation>Der Handzettel ist in „{path}“.</translation>
    </message>
    <message>
        <source>Scoring {name}</source>
        <translation>{name} wird bewertet</translation>
    </message>
    <message>
        <source>Export rows</source>
        <translation>Zeilen exportieren</translation>
    </message>
    <message>
        <source>{name} rows</source>
        <translation>{name} Zeilen</translation>
    </message>
    <message>
        <source>The rows are in “{path}”.</source>
        <translation>Die Zeilen liegen in „{path}“.</translation>
    </message>
    <message>
        <source>Rows to score</source>
        <translation>Zu bewertende Zeilen</translation>
    </message>
    <message>
        <source>Write the scored rows to</source>
        <translation>Bewertete Zeilen schreiben nach</translation>
    </message>
    <message>
        <source>Export leaves</source>
        <translation>Blätter exportieren</translation>
    </message>
    <message>
        <source>{name} leaves</source>
        <translation>{name} Blätter</translation>
    </message>
    <message>
        <source>{name} figures</source>
        <translation>{name} Zahlen</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>The table is in “{path}”.</source>
        <translation>Die Tabelle liegt in „{path}“.</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>Schaubild</translation>
    </message>
    <message>
        <source>Open “{name}”</source>
        <translation>„{name}“ öffnen</translation>
    </message>
    <message>
        <source>“{column}” cannot split this node: {reason}</source>
        <translation>„{column}“ kann diesen Knoten nicht teilen: {reason}</translation>
    </message>
    <message>
        <source>Sorting the rows</source>
        <translation>Die Zeilen werden sortiert</translation>
    </message>
    <message>
        <source>Click a node to make it a leaf, and again to bring back what stood below it. {keys} ends this.</source>
        <translation>Klicken Sie auf einen Knoten, um ihn zum Blatt zu machen, und noch einmal, um zurückzubringen, was darunter stand. {keys} beendet dies.</translation>
    </message>
    <message>
        <source>Nothing stands below this node, so there is nothing to cut.</source>
        <translation>Unter diesem Knoten steht nichts, also gibt es nichts zu schneiden.</translation>
    </message>
    <message>
        <source>Making the tree</source>
        <translation>Der Baum wird gemacht</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>Stutzen</translation>
    </message>
    <message>
        <source>{step} (stopped)</source>
        <translation>{step} (angehalten)</translation>
    </message>
    <message>
        <source>{step}: {change}</source>
        <translation>{step}: {change}</translation>
    </message>
    <message>
        <source>the best split of “{column}”</source>
        <translation>die beste Teilung von „{column}“</translation>
    </message>
    <message>
        <source>Splitting by “{column}”</source>
        <translation>Es wird nach „{column}“ geteilt</translation>
    </message>
    <message>
        <source>The node already has this split.</source>
        <translation>Der Knoten hat diese Teilung schon.</translation>
    </message>
    <message>
        <source>Copied a branch of {leaves}: select a leaf and paste it there.</source>
        <translation>Ein Zweig mit {leaves} ist kopiert: Wählen Sie ein Blatt, und fügen Sie ihn dort ein.</translation>
    </message>
    <message>
        <source>Copying a branch</source>
        <translation>Zweig wird kopiert</translation>
    </message>
    <message>
        <source>Pasting a branch</source>
        <translation>Ein Zweig wird eingefügt</translation>
    </message>
    <message>
        <source>Pruning the weakest split</source>
        <translation>Die schwächste Teilung wird gestutzt</translation>
    </message>
    <message>
        <source>“{column}” is no feature, so nothing can be split by it: give it that role first.</source>
        <translation>„{column}“ ist kein Merkmal, also lässt sich nichts nach ihr teilen: Geben Sie ihr zuerst diese Rolle.</translation>
    </message>
    <message>
        <source>“{column}” cannot split this node: {reason}.</source>
        <translation>„{column}“ kann diesen Knoten nicht teilen: {reason}.</translation>
    </message>
    <message>
        <source>“{column}” is locked, so nothing is split by it: unlock the column first.</source>
        <translation>„{column}“ ist gesperrt, also wird nichts nach ihr geteilt: Entsperren Sie zuerst die Spalte.</translation>
    </message>
    <message>
        <source>“{column}” is excluded at and below {node}: include it again there first.</source>
        <translation>„{column}“ ist an {node} und darunter ausgeschlossen: Lassen Sie sie dort zuerst wieder zu.</translation>
    </message>
    <message>
        <source>What was copied</source>
        <translation>Was kopiert wurde</translation>
    </message>
    <message>
        <source>What was copied is a single leaf, which has no splits: copy a node that is split.</source>
        <translation>Was kopiert wurde, ist ein einziges Blatt ohne Teilungen: Kopieren Sie einen geteilten Knoten.</translation>
    </message>
    <message>
        <source>None of the splits that were copied divides the rows of this leaf: paste it elsewhere.</source>
        <translation>Keine der kopierten Teilungen trennt die Zeilen dieses Blattes: Fügen Sie sie anderswo ein.</translation>
    </message>
    <message>
        <source>Pruning went wrong; the log has the details.</source>
        <translation>Beim Stutzen ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>No rule is chosen yet: choose one in Options.</source>
        <translation>Noch ist keine Regel gewählt: Wählen Sie eine in Optionen.</translation>
    </message>
    <message>
        <source>Nothing to prune: the pruned tree is the one on the canvas already.</source>
        <translation>Nichts zu stutzen: Der gestutzte Baum steht schon auf der Zeichenfläche.</translation>
    </message>
    <message>
        <source>It was stopped; choose it in the list to compute it.</source>
        <translation>Es wurde angehalten; wählen Sie es in der Liste, um es zu berechnen.</translation>
    </message>
    <message>
        <source>Judging the choice</source>
        <translation>Die Wahl wird beurteilt</translation>
    </message>
    <message>
        <source>cross-validation</source>
        <translation>Kreuzvalidierung</translation>
    </message>
    <message>
        <source>Pruning, for comparison: {method}</source>
        <translation>Stutzen, zum Vergleich: {method}</translation>
    </message>
    <message>
        <source>Chart: {leaves}</source>
        <translation>Diagramm: {leaves}</translation>
    </message>
    <message>
        <source>Splitting the best leaf</source>
        <translation>Das beste Blatt wird geteilt</translation>
    </message>
    <message>
        <source>Splitting</source>
        <translation>Teilen läuft</translation>
    </message>
    <message>
        <source>Growing a level</source>
        <translation>Eine Ebene wächst</translation>
    </message>
    <message>
        <source>Growing a branch</source>
        <translation>Ein Zweig wächst</translation>
    </message>
    <message>
        <source>Growing</source>
        <translation>Wachsen</translation>
    </message>
    <message>
        <source>The tree stops at depth {depth}, the maximum depth: each level is a look at all rows. To grow on, raise Maximum depth in Search options and grow the whole tree again.</source>
        <translation>Der Baum endet in Tiefe {depth}, der Höchsttiefe: Jede Ebene ist ein Blick auf alle Zeilen. Erhöhen Sie die Höchsttiefe in den Suchoptionen und lassen Sie den ganzen Baum noch einmal wachsen, wenn er tiefer werden soll.</translation>
    </message>
    <message>
        <source>Growing while validation improves</source>
        <translation>Wachsen, solange die Validierung besser wird</translation>
    </message>
    <message>
        <source>The table has changed in the meantime: that tree was counted on other rows or columns.</source>
        <translation>Die Tabelle hat sich inzwischen geändert: Jener Baum wurde auf anderen Zeilen oder Spalten gezählt.</translation>
    </message>
    <message>
        <source>Set role of “{column}” to {role}</source>
        <translation>Rolle von „{column}“ auf {role} setzen</translation>
    </message>
    <message>
        <source>The test rows stay as they are: rows of one “{column}” may stand among them and among the others. To keep them together, choose this role as the file is opened.</source>
        <translation>Die Testzeilen bleiben, wie sie sind: Zeilen mit demselben Wert in „{column}“ können unter ihnen und unter den anderen stehen. Um sie zusammenzuhalten, wählen Sie diese Rolle beim Öffnen der Datei.</translation>
    </message>
    <message>
        <source>Set type of “{column}” to {kind}</source>
        <translation>Art von „{column}“ auf {kind} setzen</translation>
    </message>
    <message>
        <source>Set the type of the target “{column}” to {kind}?</source>
        <translation>Die Art der Zielspalte „{column}“ auf {kind} setzen?</translation>
    </message>
    <message>
        <source>Set order of “{column}”</source>
        <translation>Ordnung von „{column}“ setzen</translation>
    </message>
    <message>
        <source>Make “{column}” the target?</source>
        <translation>„{column}“ zur Zielspalte machen?</translation>
    </message>
    <message>
        <source>Set target to “{column}”</source>
        <translation>„{column}“ zur Zielspalte machen</translation>
    </message>
    <message>
        <source>“{file}” is a tree: open the table that it belongs to first.</source>
        <translation>„{file}“ ist ein Baum: Öffnen Sie zuerst die Tabelle, zu der er gehört.</translation>
    </message>
    <message>
        <source>Open tree “{file}”</source>
        <translation>Baum „{file}“ öffnen</translation>
    </message>
    <message>
        <source>Reading {name}</source>
        <translation>{name} wird gelesen</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>{name} gespeichert</translation>
    </message>
    <message>
        <source>Saving {name}</source>
        <translation>{name} wird gespeichert</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Keep changes</source>
        <translation>Änderungen behalten</translation>
    </message>
    <message>
        <source>{work} is done, but “{name}” was changed in the meantime.</source>
        <translation>{work} ist fertig, aber „{name}“ wurde inzwischen geändert.</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lesen läuft</translation>
    </message>
    <message>
        <source>Counting the classes</source>
        <translation>Die Klassen werden gezählt</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>The tree predicts “{target}”, the present one “{other}”: “{target}” becomes the target of {table}.</source>
        <translation>Der Baum sagt „{target}“ vorher, der jetzige „{other}“: „{target}“ wird zur Zielspalte von {table}.</translation>
    </message>
    <message>
        <source>No split of “{file}” fits {table}: the root is split by “{asked}”, and the table has no such feature.</source>
        <translation>Keine Teilung von „{file}“ passt zu {table}: Die Wurzel ist nach „{asked}“ geteilt, und die Tabelle hat kein solches Merkmal.</translation>
    </message>
    <message>
        <source>The search options of this project cannot be used, so the defaults are used: {reason}</source>
        <translation>Die Suchoptionen dieses Projekts sind nicht verwendbar, daher gelten die Vorgaben: {reason}</translation>
    </message>
    <message>
        <source>Drawing the picture</source>
        <translation>Das Bild wird gezeichnet</translation>
    </message>
    <message>
        <source>The rows are not counted yet. With fewer than 1,000, choose smaller shares.</source>
        <translation>Die Zeilen sind noch nicht gezählt. Bei weniger als 1,000 wählen Sie kleinere Anteile.</translation>
    </message>
    <message>
        <source>Trees grow to depth {depth} unless Search options say more: each level is a look at all rows.</source>
        <translation>Bäume wachsen bis zur Tiefe {depth}, wenn die Suchoptionen nicht mehr sagen: Jede Ebene ist ein Blick auf alle Zeilen.</translation>
    </message>
    <message>
        <source>About {n} rows by the size of the file</source>
        <translation>Ungefähr {n} Zeilen nach der Größe der Datei</translation>
    </message>
    <message>
        <source>{rows}: too few to hold any back. All of them train.</source>
        <translation>{rows}: zu wenige, um welche zurückzuhalten. Alle trainieren.</translation>
    </message>
    <message>
        <source>{rows}: enough to check each split on rows it has not seen, too few for a separate test.</source>
        <translation>{rows}: genug, um jede Teilung an ungesehenen Zeilen zu prüfen, zu wenige für einen eigenen Test.</translation>
    </message>
    <message>
        <source>{rows}: enough to choose splits on one part and to keep a last test for the end.</source>
        <translation>{rows}: genug, um Teilungen an einem Teil zu wählen und einen letzten Test für das Ende aufzuheben.</translation>
    </message>
    <message>
        <source>Choose the column to predict.</source>
        <translation>Wählen Sie die Spalte, die vorhergesagt werden soll.</translation>
    </message>
    <message>
        <source>No tree predicts a date: choose another column, or make this one ordered.</source>
        <translation>Kein Baum sagt ein Datum vorher: Wählen Sie eine andere Spalte, oder machen Sie diese geordnet.</translation>
    </message>
    <message>
        <source>Make at least one column a feature, so that there is something to split on.</source>
        <translation>Machen Sie mindestens eine Spalte zum Merkmal, damit es etwas zu teilen gibt.</translation>
    </message>
    <message>
        <source>Only one column can be the {role}: {n} are chosen.</source>
        <translation>Nur eine Spalte kann {role} sein: {n} sind gewählt.</translation>
    </message>
    <message>
        <source>A column of weights and one of frequencies are chosen: keep one of them.</source>
        <translation>Eine Spalte der Gewichte und eine der Häufigkeiten sind gewählt: Behalten Sie eine davon.</translation>
    </message>
    <message>
        <source>There is not enough memory for this: close other programs, or open fewer rows or columns.</source>
        <translation>Dafür reicht der Speicher nicht: Schließen Sie andere Programme, oder öffnen Sie weniger Zeilen oder Spalten.</translation>
    </message>
    <message>
        <source>Looking for further cuts</source>
        <translation>Weitere Schnitte werden gesucht</translation>
    </message>
    <message>
        <source>Comparing splits</source>
        <translation>Teilungen werden verglichen</translation>
    </message>
    <message>
        <source>Looking a second level ahead</source>
        <translation>Die zweite Ebene wird vorausgesehen</translation>
    </message>
    <message>
        <source>Drawing bootstrap samples</source>
        <translation>Bootstrap-Stichproben werden gezogen</translation>
    </message>
    <message>
        <source>Something went wrong while searching; the log has the details.</source>
        <translation>Beim Suchen ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Searching for splits</source>
        <translation>Teilungen werden gesucht</translation>
    </message>
    <message>
        <source>Stopped. Select the leaf again to search its splits.</source>
        <translation>Angehalten. Wählen Sie das Blatt noch einmal aus, um seine Teilungen zu suchen.</translation>
    </message>
    <message>
        <source>Ranking by other criteria</source>
        <translation>Rangfolge nach anderen Kriterien</translation>
    </message>
    <message>
        <source>“{column}” is {kind} in a split above this node, which would be taken back: read it otherwise at the root.</source>
        <translation>„{column}“ ist in einer Teilung über diesem Knoten {kind}; die würde zurückgenommen: Lesen Sie sie an der Wurzel anders.</translation>
    </message>
    <message>
        <source>The comparison went wrong; the log has the details.</source>
        <translation>Beim Vergleichen ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Reading the tree</source>
        <translation>Der Baum wird gelesen</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich läuft</translation>
    </message>
    <message>
        <source>Unfolded</source>
        <translation>Ausgeklappt</translation>
    </message>
    <message>
        <source>Folded: {leaves} hidden below this node</source>
        <translation>Eingeklappt: {leaves} unter diesem Knoten verborgen</translation>
    </message>
    <message>
        <source>Unfolded: the whole tree is shown</source>
        <translation>Ausgeklappt: Der ganze Baum ist gezeigt</translation>
    </message>
    <message>
        <source>Levels shown: {n} of {depth}</source>
        <translation>Gezeigte Ebenen: {n} von {depth}</translation>
    </message>
    <message>
        <source>No branch has so few rows: nothing is folded</source>
        <translation>Kein Zweig hat so wenige Zeilen: Nichts wird eingeklappt</translation>
    </message>
    <message>
        <source>Branches below {n} rows are folded: {leaves} hidden</source>
        <translation>Zweige unter {n} Zeilen sind eingeklappt: {leaves} verborgen</translation>
    </message>
    <message>
        <source>Folded: {leaves} hidden</source>
        <translation>Eingeklappt: {leaves} verborgen</translation>
    </message>
    <message>
        <source>{leaves} on 1 level</source>
        <translation>{leaves} auf 1 Ebene</translation>
    </message>
    <message>
        <source>{leaves} on {n} levels</source>
        <translation>{leaves} auf {n} Ebenen</translation>
    </message>
    <message>
        <source>{leaves} are folded away below this node: a click or F shows the next of them</source>
        <translation>{leaves} sind unter diesem Knoten eingeklappt: Ein Klick oder F zeigt die nächsten davon</translation>
    </message>
    <message>
        <source>Folds this branch: it stays in the tree, and what is below is hidden (F)</source>
        <translation>Klappt diesen Zweig ein: Er bleibt im Baum, und was darunter liegt, ist verborgen (F)</translation>
    </message>
    <message>
        <source>rows of #{first}, in the other tree of #{second}</source>
        <translation>Zeilen von #{first}, im anderen Baum von #{second}</translation>
    </message>
    <message>
        <source>No row is labelled wrongly: there is nothing to follow.</source>
        <translation>Keine Zeile ist falsch vorhergesagt: Es gibt nichts zu verfolgen.</translation>
    </message>
    <message>
        <source>labelled wrongly, no test rows</source>
        <translation>falsch vorhergesagt, keine Testzeilen</translation>
    </message>
    <message>
        <source>labelled wrongly</source>
        <translation>falsch vorhergesagt</translation>
    </message>
    <message>
        <source>the tenth furthest from what the tree says</source>
        <translation>das Zehntel, das am weitesten von der Vorhersage des Baumes liegt</translation>
    </message>
    <message>
        <source>the tenth furthest from what the tree says, no test rows</source>
        <translation>das Zehntel, das am weitesten von der Vorhersage des Baumes liegt, keine Testzeilen</translation>
    </message>
    <message>
        <source>training rows of {true}, predicted {predicted}</source>
        <translation>Trainingszeilen von {true}, vorhergesagt {predicted}</translation>
    </message>
    <message>
        <source>validation rows of {true}, predicted {predicted}</source>
        <translation>Validierungszeilen von {true}, vorhergesagt {predicted}</translation>
    </message>
    <message>
        <source>test rows of {true}, predicted {predicted}</source>
        <translation>Testzeilen von {true}, vorhergesagt {predicted}</translation>
    </message>
    <message>
        <source>{held} of {n} hold</source>
        <translation>{held} von {n} gelten</translation>
    </message>
    <message>
        <source>{column} missing</source>
        <translation>{column} fehlt</translation>
    </message>
    <message>
        <source>Following a row</source>
        <translation>Eine Zeile wird verfolgt</translation>
    </message>
    <message>
        <source>Row {row} is kept for the test: follow another one.</source>
        <translation>Zeile {row} ist für den Test zurückgehalten: Folgen Sie einer anderen.</translation>
    </message>
    <message>
        <source>rows of {node}</source>
        <translation>Zeilen von {node}</translation>
    </message>
    <message>
        <source>rows of {n} nodes</source>
        <translation>Zeilen von {n} Knoten</translation>
    </message>
    <message>
        <source>Choosing rows</source>
        <translation>Zeilen werden gewählt</translation>
    </message>
    <message>
        <source>Following rows</source>
        <translation>Zeilen werden verfolgt</translation>
    </message>
    <message>
        <source>Looking at the test rows</source>
        <translation>Die Testzeilen werden angesehen</translation>
    </message>
    <message>
        <source>these {leaves}</source>
        <translation>diese {leaves}</translation>
    </message>
    <message>
        <source>these {n} nodes ({leaves})</source>
        <translation>diese {n} Knoten ({leaves})</translation>
    </message>
    <message>
        <source>this leaf</source>
        <translation>dieses Blatt</translation>
    </message>
    <message>
        <source>this node ({leaves})</source>
        <translation>dieser Knoten ({leaves})</translation>
    </message>
    <message>
        <source>{nodes}: {rows} (validation {seen})</source>
        <translation>{nodes}: {rows} (Validierung {seen})</translation>
    </message>
    <message>
        <source>{nodes}: {rows}</source>
        <translation>{nodes}: {rows}</translation>
    </message>
    <message>
        <source>{nodes}: {rows}, {said}</source>
        <translation>{nodes}: {rows}, {said}</translation>
    </message>
    <message>
        <source>{nodes}: {rows}, {said} (validation {seen})</source>
        <translation>{nodes}: {rows}, {said} (Validierung {seen})</translation>
    </message>
    <message>
        <source>mean {value}</source>
        <translation>Mittelwert {value}</translation>
    </message>
    <message>
        <source>Finding nodes</source>
        <translation>Knoten werden gesucht</translation>
    </message>
    <message>
        <source>Finding quartiles</source>
        <translation>Quartile werden gesucht</translation>
    </message>
    <message>
        <source>other splits: larger branch</source>
        <translation>andere Teilungen: größerer Zweig</translation>
    </message>
    <message>
        <source>Where the tree asks another column, the picture goes on in the branch with most training rows;
above the selected node, in the branch that leads there. Every row that is drawn lies in its rectangle.</source>
        <translation>Wo der Baum nach einer anderen Spalte fragt, geht das Bild in dem Zweig mit den meisten Trainingszeilen weiter;
über dem ausgewählten Knoten in dem Zweig, der dorthin führt. Jede gezeichnete Zeile liegt in ihrem Rechteck.</translation>
    </message>
    <message>
        <source>other splits: stop</source>
        <translation>andere Teilungen: anhalten</translation>
    </message>
    <message>
        <source>Where the tree asks another column, the rectangle is not divided further and is hatched;
above the selected node the picture follows its path. Every row that is drawn lies in its rectangle.</source>
        <translation>Wo der Baum nach einer anderen Spalte fragt, wird das Rechteck nicht weiter geteilt und ist schraffiert;
über dem ausgewählten Knoten folgt das Bild seinem Pfad. Jede gezeichnete Zeile liegt in ihrem Rechteck.</translation>
    </message>
    <message>
        <source>other splits: ignored</source>
        <translation>andere Teilungen: nicht beachtet</translation>
    </message>
    <message>
        <source>All leaves are drawn, and lie one over the other where only another column tells them apart:
a rectangle is where rows of a leaf can lie, and rows of other leaves may lie there, too.</source>
        <translation>Alle Blätter sind gezeichnet und liegen übereinander, wo nur eine andere Spalte sie unterscheidet:
Ein Rechteck ist, wo Zeilen eines Blattes liegen können; Zeilen anderer Blätter können dort auch liegen.</translation>
    </message>
    <message>
        <source>{n} of {rows} drawn, always the same ones.</source>
        <translation>{n} von {rows} gezeichnet, immer dieselben.</translation>
    </message>
    <message>
        <source>{rows} drawn (● training, × validation).</source>
        <translation>{rows} gezeichnet (● Training, × Validierung).</translation>
    </message>
    <message>
        <source>{rows} drawn.</source>
        <translation>{rows} gezeichnet.</translation>
    </message>
    <message>
        <source>New point: a click, a drag or the arrows put it into the plane, and its way through the tree lights up</source>
        <translation>Neuer Punkt: Ein Klick, Ziehen oder die Pfeiltasten setzen ihn in die Ebene, und sein Weg durch den Baum leuchtet auf</translation>
    </message>
    <message>
        <source>{n} of {rows} drawn (● training, × validation), always the same ones.</source>
        <translation>{n} von {rows} gezeichnet (● Training, × Validierung), immer dieselben.</translation>
    </message>
    <message>
        <source>{rows} without {across} or {up} cannot be drawn.</source>
        <translation>{rows} ohne {across} oder {up} lassen sich nicht zeichnen.</translation>
    </message>
    <message>
        <source>{rows} without {up} cannot be drawn.</source>
        <translation>{rows} ohne {up} lassen sich nicht zeichnen.</translation>
    </message>
    <message>
        <source>One column of points for each leaf, as wide as its training rows; lines are means of the training rows.</source>
        <translation>Eine Punktsäule für jedes Blatt, so breit wie seine Trainingszeilen; Linien sind Mittelwerte der Trainingszeilen.</translation>
    </message>
    <message>
        <source>One column of points for each leaf, as wide as its training rows; lines part the classes.</source>
        <translation>Eine Punktsäule für jedes Blatt, so breit wie seine Trainingszeilen; Linien trennen die Klassen.</translation>
    </message>
    <message>
        <source>One column of points for each leaf, as wide as its training rows; lines are medians, as the leaves predict.</source>
        <translation>Eine Punktsäule für jedes Blatt, so breit wie seine Trainingszeilen; Linien sind Mediane, wie die Blätter vorhersagen.</translation>
    </message>
    <message>
        <source>One column of points for each leaf, as wide as its training rows; lines are what the leaves predict.</source>
        <translation>Eine Punktsäule für jedes Blatt, so breit wie seine Trainingszeilen; Linien sind die Vorhersagen der Blätter.</translation>
    </message>
    <message>
        <source>Splits on other columns are ignored: rectangles may overlap, and hold rows of other leaves, too.</source>
        <translation>Teilungen nach anderen Spalten werden nicht beachtet: Rechtecke können sich überdecken und auch Zeilen anderer Blätter enthalten.</translation>
    </message>
    <message>
        <source>Rows outside of the selected node are pale.</source>
        <translation>Zeilen außerhalb des ausgewählten Knotens sind blass.</translation>
    </message>
    <message>
        <source>{n} rows that go another way are not shown.</source>
        <translation>{n} Zeilen, die anders gehen, sind nicht gezeigt.</translation>
    </message>
    <message>
        <source>1 row that goes another way is not shown.</source>
        <translation>1 Zeile, die anders geht, ist nicht gezeigt.</translation>
    </message>
    <message>
        <source>1 hatched: divided further by “{column}”.</source>
        <translation>1 schraffiert: weiter geteilt nach „{column}“.</translation>
    </message>
    <message>
        <source>{n} hatched: divided further by “{column}” and others.</source>
        <translation>{n} schraffiert: weiter geteilt nach „{column}“ und anderen.</translation>
    </message>
    <message>
        <source>{splits} above the selected node as its path goes; {gone}</source>
        <translation>{splits} über dem ausgewählten Knoten, wie sein Pfad geht; {gone}</translation>
    </message>
    <message>
        <source>{splits}: along the path of the selected node; {gone}</source>
        <translation>{splits}: entlang dem Pfad des ausgewählten Knotens; {gone}</translation>
    </message>
    <message>
        <source>{splits}: {n} along the path of the selected node, elsewhere in the branch with most rows; {gone}</source>
        <translation>{splits}: {n} entlang dem Pfad des ausgewählten Knotens, sonst im Zweig mit den meisten Zeilen; {gone}</translation>
    </message>
    <message>
        <source>{splits}: the branch with most rows is shown; {gone}</source>
        <translation>{splits}: gezeigt ist der Zweig mit den meisten Zeilen; {gone}</translation>
    </message>
    <message>
        <source>No other column is asked: every leaf is one rectangle.</source>
        <translation>Keine andere Spalte wird gefragt: Jedes Blatt ist ein Rechteck.</translation>
    </message>
    <message>
        <source>1 split on another column</source>
        <translation>1 Teilung nach einer anderen Spalte</translation>
    </message>
    <message>
        <source>{n} splits on other columns</source>
        <translation>{n} Teilungen nach anderen Spalten</translation>
    </message>
    <message>
        <source>{n} leaves side by side, {up} upwards. {more}</source>
        <translation>{n} Blätter nebeneinander, {up} senkrecht. {more}</translation>
    </message>
    <message>
        <source>{n} rectangles over {across}, {up} upwards. {more}</source>
        <translation>{n} Rechtecke über {across}, {up} senkrecht. {more}</translation>
    </message>
    <message>
        <source>Cuts in the order made</source>
        <translation>Schnitte in der Reihenfolge ihrer Entstehung</translation>
    </message>
    <message>
        <source>… and {n} more</source>
        <translation>… und {n} weitere</translation>
    </message>
    <message>
        <source>Column across</source>
        <translation>Spalte waagerecht</translation>
    </message>
    <message>
        <source>Column upwards</source>
        <translation>Spalte senkrecht</translation>
    </message>
    <message>
        <source>Splits on other columns</source>
        <translation>Teilungen nach anderen Spalten</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>Logarithmic axis across</source>
        <translation>Logarithmische Achse waagerecht</translation>
    </message>
    <message>
        <source>Logarithmic axis upwards</source>
        <translation>Logarithmische Achse senkrecht</translation>
    </message>
    <message>
        <source>Rows, plane and tree together</source>
        <translation>Zeilen, Ebene und Baum zusammen</translation>
    </message>
    <message>
        <source>The rows alone</source>
        <translation>Nur die Zeilen</translation>
    </message>
    <message>
        <source>Open a table: the leaves of its tree stand here as rectangles over the points.</source>
        <translation>Öffnen Sie eine Tabelle: Die Blätter ihres Baumes stehen dann hier als Rechtecke über den Punkten.</translation>
    </message>
    <message>
        <source>Across</source>
        <translation>Waagerecht</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Senkrecht</translation>
    </message>
    <message>
        <source>(a) Rows</source>
        <translation>(a) Zeilen</translation>
    </message>
    <message>
        <source>(b) Cuts in the order made</source>
        <translation>(b) Schnitte in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>(c) Tree</source>
        <translation>(c) Baum</translation>
    </message>
    <message>
        <source>leaves, side by side</source>
        <translation>Blätter, nebeneinander</translation>
    </message>
    <message>
        <source>{target}, the classes</source>
        <translation>{target}, die Klassen</translation>
    </message>
    <message>
        <source>Only a column of positive numbers can have a logarithmic axis.</source>
        <translation>Nur eine Spalte positiver Zahlen kann eine logarithmische Achse haben.</translation>
    </message>
    <message>
        <source>A logarithmic axis</source>
        <translation>Eine logarithmische Achse</translation>
    </message>
    <message>
        <source>Leaves side by side show all leaves, whatever columns they are split by.</source>
        <translation>Blätter nebeneinander zeigen alle Blätter, nach welchen Spalten sie auch geteilt sind.</translation>
    </message>
    <message>
        <source>It needs two columns: choose one across.</source>
        <translation>Dazu braucht es zwei Spalten: Wählen Sie eine für die Waagerechte.</translation>
    </message>
    <message>
        <source>Drawing the plane</source>
        <translation>Die Ebene wird gezeichnet</translation>
    </message>
    <message>
        <source>No column of this table is a number or a date, so there is no plane: the strip stands for it.</source>
        <translation>Keine Spalte dieser Tabelle ist eine Zahl oder ein Datum, also gibt es keine Ebene: An ihrer Stelle steht der Streifen.</translation>
    </message>
    <message>
        <source>Beside each letter: the impurity of what the cut divides, by {criterion}.</source>
        <translation>Neben jedem Buchstaben: die Unreinheit dessen, was der Schnitt teilt, nach {criterion}.</translation>
    </message>
    <message>
        <source>{low} below, {high} above the mean {mean} of {target}</source>
        <translation>{low} unter, {high} über dem Mittelwert {mean} von {target}</translation>
    </message>
    <message>
        <source>{names} and {n} more</source>
        <translation>{names} und {n} weitere</translation>
    </message>
    <message>
        <source>Cut {letter}</source>
        <translation>Schnitt {letter}</translation>
    </message>
    <message>
        <source>Behind the cuts {letters}</source>
        <translation>Hinter den Schnitten {letters}</translation>
    </message>
    <message>
        <source>Leaves as rectangles over the rows</source>
        <translation>Blätter als Rechtecke über den Zeilen</translation>
    </message>
    <message>
        <source>leaves, as wide as their training rows</source>
        <translation>Blätter, so breit wie ihre Trainingszeilen</translation>
    </message>
    <message>
        <source>share of each class</source>
        <translation>Anteil jeder Klasse</translation>
    </message>
    <message>
        <source>on the canvas</source>
        <translation>auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>Error against number of leaves; left and right walk from tree to tree, up and down from choice to choice</source>
        <translation>Fehler gegen Anzahl der Blätter; links und rechts gehen von Baum zu Baum, auf und ab von Wahl zu Wahl</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>Blätter</translation>
    </message>
    <message>
        <source>Measuring the trees</source>
        <translation>Die Bäume werden gemessen</translation>
    </message>
    <message>
        <source>least cost</source>
        <translation>kleinste Kosten</translation>
    </message>
    <message>
        <source>least error</source>
        <translation>kleinster Fehler</translation>
    </message>
    <message>
        <source>{k} SE</source>
        <translation>{k} SE</translation>
    </message>
    <message>
        <source>Drawing an outline</source>
        <translation>Eine Gliederung wird gezeichnet</translation>
    </message>
    <message>
        <source>Whole numbers from 1 on, with commas between them.</source>
        <translation>Ganze Zahlen ab 1, mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>“{method}” has no options.</source>
        <translation>„{method}“ hat keine Optionen.</translation>
    </message>
    <message>
        <source>Pruning method</source>
        <translation>Stutzverfahren</translation>
    </message>
    <message>
        <source>What the chart measures trees by</source>
        <translation>Woran das Diagramm Bäume misst</translation>
    </message>
    <message>
        <source>Computes what every method can cut the present tree back to</source>
        <translation>Berechnet, worauf jedes Verfahren den jetzigen Baum zurückstutzen kann</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>Log axis</source>
        <translation>Log. Achse</translation>
    </message>
    <message>
        <source>Keep hand-made splits</source>
        <translation>Handgemachte Teilungen behalten</translation>
    </message>
    <message>
        <source>Shows the options of the chosen method in place of the table</source>
        <translation>Zeigt die Optionen des gewählten Verfahrens an Stelle der Tabelle</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Trees by method and by size; a click or Enter puts one on the canvas</source>
        <translation>Bäume nach Verfahren und Größe; ein Klick oder die Eingabetaste legt einen auf die Zeichenfläche</translation>
    </message>
    <message>
        <source>All methods</source>
        <translation>Alle Verfahren</translation>
    </message>
    <message>
        <source>Undecided: before pruning removes hand-made splits, you are asked once whether to keep them</source>
        <translation>Unentschieden: Bevor das Stutzen handgemachte Teilungen entfernt, werden Sie einmal gefragt, ob sie bleiben sollen</translation>
    </message>
    <message>
        <source>Pruning keeps splits that were made by hand, and the splits above them</source>
        <translation>Das Stutzen behält Teilungen, die von Hand gemacht wurden, und die Teilungen über ihnen</translation>
    </message>
    <message>
        <source>{error}, training rows: {figure}</source>
        <translation>{error}, Trainingszeilen: {figure}</translation>
    </message>
    <message>
        <source>{error}, validation rows: {figure}</source>
        <translation>{error}, Validierungszeilen: {figure}</translation>
    </message>
    <message>
        <source>Chosen: {figures}</source>
        <translation>Gewählt: {figures}</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>alpha {figure}</source>
        <translation>Alpha {figure}</translation>
    </message>
    <message>
        <source>A tree is charged its training {pruned_by} + alpha × its leaves: from this alpha on, up to the one of the next row, this tree is the cheapest</source>
        <translation>Ein Baum kostet {pruned_by} im Training + Alpha × seine Blätter: Von diesem Alpha an bis zu dem der nächsten Zeile ist dieser Baum der billigste</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Abfall</translation>
    </message>
    <message>
        <source>drop {figure}</source>
        <translation>Abfall {figure}</translation>
    </message>
    <message>
        <source>By how much the split that this step takes back lowers the criterion, times its share of the training weight</source>
        <translation>Um wie viel die Teilung, die dieser Schritt zurücknimmt, das Kriterium senkt, mal ihren Anteil am Trainingsgewicht</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>gain {figure}</source>
        <translation>Gewinn {figure}</translation>
    </message>
    <message>
        <source>By how much the cut that makes this step lowers the validation {pruned_by}; below 0 it does harm</source>
        <translation>Um wie viel der Schnitt dieses Schrittes {pruned_by} der Validierung senkt; unter 0 schadet er</translation>
    </message>
    <message>
        <source>optimal front</source>
        <translation>optimale Front</translation>
    </message>
    <message>
        <source>being computed…</source>
        <translation>wird berechnet…</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
    <message>
        <source>chosen by the method</source>
        <translation>vom Verfahren gewählt</translation>
    </message>
    <message>
        <source>on the curve</source>
        <translation>auf der Kurve</translation>
    </message>
    <message>
        <source>The method that chooses this tree; below, the trees of the curves by size</source>
        <translation>Das Verfahren, das diesen Baum wählt; darunter die Bäume der Kurven nach Größe</translation>
    </message>
    <message>
        <source>Leaves of the tree</source>
        <translation>Blätter des Baumes</translation>
    </message>
    <message>
        <source>{metric} on the training rows</source>
        <translation>{metric} auf den Trainingszeilen</translation>
    </message>
    <message>
        <source>{metric} on the validation rows</source>
        <translation>{metric} auf den Validierungszeilen</translation>
    </message>
    <message>
        <source>Cross-validated cost</source>
        <translation>Kreuzvalidierte Kosten</translation>
    </message>
    <message>
        <source>Cross-validated</source>
        <translation>Kreuzvalidiert</translation>
    </message>
    <message>
        <source>Cross-validated {pruned_by} on the training rows, ± its standard error</source>
        <translation>Kreuzvalidiert: {pruned_by} auf den Trainingszeilen, ± Standardfehler</translation>
    </message>
    <message>
        <source>Open a table and grow a tree: how large it should be will be shown here.</source>
        <translation>Öffnen Sie eine Tabelle, und lassen Sie einen Baum wachsen: Hier wird gezeigt, wie groß er sein sollte.</translation>
    </message>
    <message>
        <source>Computing every tree on the way back to the root…</source>
        <translation>Jeder Baum auf dem Weg zurück zur Wurzel wird berechnet…</translation>
    </message>
    <message>
        <source>The tree is a single leaf: split it or press Go first, then prune.</source>
        <translation>Der Baum ist ein einziges Blatt: Teilen Sie es, oder drücken Sie zuerst Los, und stutzen Sie dann.</translation>
    </message>
    <message>
        <source>Press Compute: the error of every tree between this one and the root will be drawn by its size.</source>
        <translation>Drücken Sie Berechnen: Der Fehler jedes Baumes zwischen diesem und der Wurzel wird nach seiner Größe gezeichnet.</translation>
    </message>
    <message>
        <source>training {figure}</source>
        <translation>Training {figure}</translation>
    </message>
    <message>
        <source>validation {figure}</source>
        <translation>Validierung {figure}</translation>
    </message>
    <message>
        <source>cross-validated {figure}</source>
        <translation>kreuzvalidiert {figure}</translation>
    </message>
    <message>
        <source>{metric}: training {figure}</source>
        <translation>{metric}: Training {figure}</translation>
    </message>
    <message>
        <source>no validation rows to choose by</source>
        <translation>keine Validierungszeilen, nach denen zu wählen wäre</translation>
    </message>
    <message>
        <source>hand-made splits were not cross-validated</source>
        <translation>handgemachte Teilungen wurden nicht kreuzvalidiert</translation>
    </message>
    <message>
        <source>{figure} on rows that did not choose</source>
        <translation>{figure} auf Zeilen, die nicht gewählt haben</translation>
    </message>
    <message>
        <source>{figure} corrected for the choice</source>
        <translation>{figure} um die Wahl berichtigt</translation>
    </message>
    <message>
        <source>training {error} + α · leaves = {train} + {alpha} · {leaves} = {sum}</source>
        <translation>{error} im Training + α · Blätter = {train} + {alpha} · {leaves} = {sum}</translation>
    </message>
    <message>
        <source>impurity + α · leaves, α = {alpha}, leaves = {leaves}</source>
        <translation>Unreinheit + α · Blätter, α = {alpha}, Blätter = {leaves}</translation>
    </message>
    <message>
        <source>training {error} + √(size ÷ m) = {train} + √({size} ÷ {rows}) = {sum}</source>
        <translation>{error} im Training + √(Größe ÷ m) = {train} + √({size} ÷ {rows}) = {sum}</translation>
    </message>
    <message>
        <source>MDL bound: training {error} + √((bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}</source>
        <translation>MDL-Schranke: {error} im Training + √((Bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}</translation>
    </message>
    <message>
        <source>MDL bound: training {error} + √((bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}. No error is above 1: the bound says nothing for a tree of this size</source>
        <translation>MDL-Schranke: {error} im Training + √((Bits + ln(2/δ)) / 2m) = {train} + {penalty} = {sum}. Kein Fehler ist größer als 1: Für einen Baum dieser Größe sagt die Schranke nichts</translation>
    </message>
    <message>
        <source>validation {error}: {figure} with {leaves}, {whole} with all {all}</source>
        <translation>{error} der Validierung: {figure} mit {leaves}, {whole} mit allen {all}</translation>
    </message>
    <message>
        <source>At the root – {comparison}</source>
        <translation>An der Wurzel – {comparison}</translation>
    </message>
    <message>
        <source>training, {rows} rows</source>
        <translation>Training, {rows} Zeilen</translation>
    </message>
    <message>
        <source>validation ± SE, {rows} rows, {compared}</source>
        <translation>Validierung ± SE, {rows} Zeilen, {compared}</translation>
    </message>
    <message>
        <source>cross-validation on the training rows ± standard error</source>
        <translation>Kreuzvalidierung auf den Trainingszeilen ± Standardfehler</translation>
    </message>
    <message>
        <source>cross-validation ± SE</source>
        <translation>Kreuzvalidierung ± SE</translation>
    </message>
    <message>
        <source>fewest training errors of each size</source>
        <translation>wenigste Trainingsfehler jeder Größe</translation>
    </message>
    <message>
        <source>what each method chooses; curves: {method}</source>
        <translation>was jedes Verfahren wählt; Kurven: {method}</translation>
    </message>
    <message>
        <source>{n} more to come…</source>
        <translation>{n} weitere folgen…</translation>
    </message>
    <message>
        <source>Rows: {rows}</source>
        <translation>Zeilen: {rows}</translation>
    </message>
    <message>
        <source>Missing: {rows}, {where}</source>
        <translation>Fehlende: {rows}, {where}</translation>
    </message>
    <message>
        <source>Gain: {share} of the best</source>
        <translation>Gewinn: {share} des besten</translation>
    </message>
    <message>
        <source>Gains: {gains}</source>
        <translation>Gewinne: {gains}</translation>
    </message>
    <message>
        <source>With the best splits one level below: {gain}</source>
        <translation>Mit den besten Teilungen eine Ebene tiefer: {gain}</translation>
    </message>
    <message>
        <source>Not significant: its LogWorth is {logworth}.</source>
        <translation>Nicht signifikant: Der LogWorth ist {logworth}.</translation>
    </message>
    <message>
        <source>no gain yet</source>
        <translation>noch kein Gewinn</translation>
    </message>
    <message>
        <source>leads</source>
        <translation>führt</translation>
    </message>
    <message>
        <source>{logworth}, not significant</source>
        <translation>{logworth}, nicht signifikant</translation>
    </message>
    <message>
        <source>{gain}, does not survive</source>
        <translation>{gain}, hält nicht</translation>
    </message>
    <message>
        <source>Find a column among the candidates</source>
        <translation>Eine Spalte unter den Kandidaten suchen</translation>
    </message>
    <message>
        <source>Which figures are shown, and what stands beside the criterion</source>
        <translation>Welche Zahlen gezeigt werden, und was neben dem Kriterium steht</translation>
    </message>
    <message>
        <source>Candidate splits, best first</source>
        <translation>Kandidaten für die Teilung, beste zuerst</translation>
    </message>
    <message>
        <source>Searching for the best split of every column…</source>
        <translation>Die beste Teilung jeder Spalte wird gesucht…</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>Best splits · {criterion}</source>
        <translation>Beste Teilungen · {criterion}</translation>
    </message>
    <message>
        <source>Best splits · {criterion} (bars: information gain)</source>
        <translation>Beste Teilungen · {criterion} (Balken: Informationsgewinn)</translation>
    </message>
    <message>
        <source>Best splits · {criterion} (bars: gain by {of})</source>
        <translation>Beste Teilungen · {criterion} (Balken: Gewinn nach {of})</translation>
    </message>
    <message>
        <source>choosing one replaces {split}</source>
        <translation>die Wahl ersetzt {split}</translation>
    </message>
    <message>
        <source>no split is significant at 0</source>
        <translation>keine Teilung ist bei 0 signifikant</translation>
    </message>
    <message>
        <source>significant: LogWorth of at least {least} ({level} over {columns})</source>
        <translation>signifikant: LogWorth von mindestens {least} ({level} über {columns})</translation>
    </message>
    <message>
        <source>Open a table: the best split of every column will be shown here.</source>
        <translation>Öffnen Sie eine Tabelle: Die beste Teilung jeder Spalte wird dann hier gezeigt.</translation>
    </message>
    <message>
        <source>No training row reaches this node: there is nothing to split by. Select another one.</source>
        <translation>Keine Trainingszeile erreicht diesen Knoten: Es gibt nichts zu teilen. Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>This leaf is pure: nothing to gain. All of its training rows are “{label}”.</source>
        <translation>Dieses Blatt ist rein: nichts zu gewinnen. Alle seine Trainingszeilen sind „{label}“.</translation>
    </message>
    <message>
        <source>This leaf is pure: nothing to gain. All of its training rows have the same target value.</source>
        <translation>Dieses Blatt ist rein: nichts zu gewinnen. Alle seine Trainingszeilen haben denselben Zielwert.</translation>
    </message>
    <message>
        <source>No column can be used here: give a column the role “feature” in Data.</source>
        <translation>Keine Spalte kann hier verwendet werden: Geben Sie in Daten einer Spalte die Rolle „Merkmal“.</translation>
    </message>
    <message>
        <source>Shows the arithmetic of this split, with its own counts</source>
        <translation>Zeigt den Rechenweg dieser Teilung mit ihren eigenen Zahlen</translation>
    </message>
    <message>
        <source>No search uses the column at and below this node</source>
        <translation>Keine Suche verwendet die Spalte an diesem Knoten und darunter</translation>
    </message>
    <message>
        <source>No search uses a locked column, at any node</source>
        <translation>Keine Suche verwendet eine gesperrte Spalte, an keinem Knoten</translation>
    </message>
    <message>
        <source>Why this split?</source>
        <translation>Warum diese Teilung?</translation>
    </message>
    <message>
        <source>Split here</source>
        <translation>Hier teilen</translation>
    </message>
    <message>
        <source>Replace the split</source>
        <translation>Teilung ersetzen</translation>
    </message>
    <message>
        <source>Exclude column below</source>
        <translation>Spalte darunter ausschließen</translation>
    </message>
    <message>
        <source>Include column again below {node}</source>
        <translation>Spalte unter {node} wieder zulassen</translation>
    </message>
    <message>
        <source>Unlock column</source>
        <translation>Spalte entsperren</translation>
    </message>
    <message>
        <source>Lock column</source>
        <translation>Spalte sperren</translation>
    </message>
    <message>
        <source>Gain by rank</source>
        <translation>Gewinn nach Rang</translation>
    </message>
    <message>
        <source>{gain}, {share} of the best</source>
        <translation>{gain}, {share} des besten</translation>
    </message>
    <message>
        <source>Midpoint</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>Rund</translation>
    </message>
    <message>
        <source>Quantile</source>
        <translation>Quantil</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Best two groups</source>
        <translation>Beste zwei Gruppen</translation>
    </message>
    <message>
        <source>The two groups with the largest gain</source>
        <translation>Die zwei Gruppen mit dem größten Gewinn</translation>
    </message>
    <message>
        <source>One branch each</source>
        <translation>Je ein Zweig</translation>
    </message>
    <message>
        <source>A branch for every level that has rows here</source>
        <translation>Ein Zweig für jede Ausprägung, die hier Zeilen hat</translation>
    </message>
    <message>
        <source>One against the rest</source>
        <translation>Eine gegen die übrigen</translation>
    </message>
    <message>
        <source>The chosen levels against all others; without any, the best one</source>
        <translation>Die gewählten Ausprägungen gegen alle anderen; ohne Wahl die beste</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>The branches of the chosen levels become one</source>
        <translation>Die Zweige der gewählten Ausprägungen werden einer</translation>
    </message>
    <message>
        <source>Split off</source>
        <translation>Abspalten</translation>
    </message>
    <message>
        <source>The chosen levels get a branch of their own (N)</source>
        <translation>Die gewählten Ausprägungen bekommen einen eigenen Zweig (N)</translation>
    </message>
    <message>
        <source>Cut as numbers</source>
        <translation>Als Zahlen schneiden</translation>
    </message>
    <message>
        <source>Reads the names of the levels as numbers, which the split then cuts</source>
        <translation>Liest die Namen der Ausprägungen als Zahlen, die die Teilung dann schneidet</translation>
    </message>
    <message>
        <source>Cuts</source>
        <translation>Schnitte</translation>
    </message>
    <message>
        <source>What a cut snaps to while it is moved: the middle between two values, a round number or date, a twentieth of the rows, or nothing</source>
        <translation>Woran ein Schnitt einrastet, während er bewegt wird: die Mitte zwischen zwei Werten, eine runde Zahl oder ein rundes Datum, ein Zwanzigstel der Zeilen, oder nichts</translation>
    </message>
    <message>
        <source>Snap to</source>
        <translation>Einrasten an</translation>
    </message>
    <message>
        <source>Shows the values on a logarithmic axis</source>
        <translation>Zeigt die Werte auf einer logarithmischen Achse</translation>
    </message>
    <message>
        <source>Logarithmic axis</source>
        <translation>Logarithmische Achse</translation>
    </message>
    <message>
        <source>As levels</source>
        <translation>Als Ausprägungen</translation>
    </message>
    <message>
        <source>See all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>See all (double click on an axis)</source>
        <translation>Alles zeigen (Doppelklick auf eine Achse)</translation>
    </message>
    <message>
        <source>Treats values as categories, so that each may have a branch of its own or share one</source>
        <translation>Behandelt Werte als Kategorien, sodass jeder einen eigenen Zweig haben oder einen teilen kann</translation>
    </message>
    <message>
        <source>The cuts, one or several: {example}</source>
        <translation>Die Schnitte, einer oder mehrere: {example}</translation>
    </message>
    <message>
        <source>Dates cannot be taken for levels.</source>
        <translation>Daten des Kalenders lassen sich nicht als Ausprägungen nehmen.</translation>
    </message>
    <message>
        <source>There is only one value, which a split into levels could not divide.</source>
        <translation>Es gibt nur einen Wert, den eine Teilung nach Ausprägungen nicht trennen könnte.</translation>
    </message>
    <message>
        <source>There are {n} values: at most {most} can be taken for levels.</source>
        <translation>Es gibt {n} Werte: Höchstens {most} lassen sich als Ausprägungen nehmen.</translation>
    </message>
    <message>
        <source>Where the rows go in which “{column}” is missing. Training rows of this node: {rows}</source>
        <translation>Wohin die Zeilen gehen, denen „{column}“ fehlt. Trainingszeilen dieses Knotens: {rows}</translation>
    </message>
    <message>
        <source>Missing: {branch}</source>
        <translation>Fehlende: {branch}</translation>
    </message>
    <message>
        <source>Missing: by surrogates</source>
        <translation>Fehlende: durch Ersatzteilungen</translation>
    </message>
    <message>
        <source>Missing: own branch</source>
        <translation>Fehlende: eigener Zweig</translation>
    </message>
    <message>
        <source>Missing: all branches, in part</source>
        <translation>Fehlend: alle Zweige, anteilig</translation>
    </message>
    <message>
        <source>Drop levels on a branch, or click it to send the chosen levels there (1 … 9, N)</source>
        <translation>Ziehen Sie Ausprägungen auf einen Zweig, oder klicken Sie ihn an, um die gewählten dorthin zu schicken (1 … 9, N)</translation>
    </message>
    <message>
        <source>unseen</source>
        <translation>ungesehen</translation>
    </message>
    <message>
        <source>branch {branch}: {takes}</source>
        <translation>Zweig {branch}: {takes}</translation>
    </message>
    <message>
        <source>New branch</source>
        <translation>Neuer Zweig</translation>
    </message>
    <message>
        <source>Find levels</source>
        <translation>Ausprägungen suchen</translation>
    </message>
    <message>
        <source>Chooses the levels whose names contain this; Enter goes to the bars</source>
        <translation>Wählt die Ausprägungen, deren Namen dies enthalten; Eingabe geht zu den Balken</translation>
    </message>
    <message>
        <source>Pool levels with fewer rows than</source>
        <translation>Ausprägungen zusammenfassen mit weniger Zeilen als</translation>
    </message>
    <message>
        <source>weight </source>
        <translation>Gewicht </translation>
    </message>
    <message>
        <source> rows</source>
        <translation> Zeilen</translation>
    </message>
    <message>
        <source>Levels of fewer rows share one branch, the last; unseen levels go there, too</source>
        <translation>Ausprägungen mit weniger Zeilen teilen sich einen Zweig, den letzten; ungesehene Ausprägungen gehen auch dorthin</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Levels under</source>
        <translation>Ausprägungen unter</translation>
    </message>
    <message>
        <source>Scroll the levels</source>
        <translation>Durch die Ausprägungen blättern</translation>
    </message>
    <message>
        <source>Sort levels</source>
        <translation>Ausprägungen sortieren</translation>
    </message>
    <message>
        <source>How the levels are sorted</source>
        <translation>Wie die Ausprägungen sortiert sind</translation>
    </message>
    <message>
        <source>Best two groups, one branch each, merge, split off, pool …</source>
        <translation>Beste zwei Gruppen, je ein Zweig, verbinden, abspalten, sammeln …</translation>
    </message>
    <message>
        <source>Groups  </source>
        <translation>Gruppen  </translation>
    </message>
    <message>
        <source>See all levels (double click on an axis)</source>
        <translation>Alle Ausprägungen zeigen (Doppelklick auf eine Achse)</translation>
    </message>
    <message>
        <source>See all levels</source>
        <translation>Alle Ausprägungen zeigen</translation>
    </message>
    <message>
        <source>Where levels go that have no row in this node and are not named</source>
        <translation>Wohin Ausprägungen gehen, die in diesem Knoten keine Zeile haben und nicht genannt sind</translation>
    </message>
    <message>
        <source>Unseen levels</source>
        <translation>Ungesehene Ausprägungen</translation>
    </message>
    <message>
        <source>By {class_name} %</source>
        <translation>Nach {class_name} %</translation>
    </message>
    <message>
        <source>By mean</source>
        <translation>Nach Mittelwert</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>By rows</source>
        <translation>Nach Zeilen</translation>
    </message>
    <message>
        <source>By branch</source>
        <translation>Nach Zweig</translation>
    </message>
    <message>
        <source>As declared</source>
        <translation>Wie deklariert</translation>
    </message>
    <message>
        <source>Missing: branch {branch}</source>
        <translation>Fehlende: Zweig {branch}</translation>
    </message>
    <message>
        <source>Unseen: own branch</source>
        <translation>Ungesehene: eigener Zweig</translation>
    </message>
    <message>
        <source>Unseen: branch {branch}</source>
        <translation>Ungesehene: Zweig {branch}</translation>
    </message>
    <message>
        <source>at {cuts}</source>
        <translation>bei {cuts}</translation>
    </message>
    <message>
        <source>With absolute error, the gain of several cuts is computed from the rows.</source>
        <translation>Beim absoluten Fehler wird der Gewinn mehrerer Schnitte aus den Zeilen berechnet.</translation>
    </message>
    <message>
        <source>No training row here lacks the value: that branch is empty.</source>
        <translation>Keiner Trainingszeile hier fehlt der Wert: Dieser Zweig ist leer.</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>No training row is {branches}.</source>
        <translation>Keine Trainingszeile ist {branches}.</translation>
    </message>
    <message>
        <source>No cut separates the rows.</source>
        <translation>Kein Schnitt trennt die Zeilen.</translation>
    </message>
    <message>
        <source>{cut}: gain {gain}, validation {validation}</source>
        <translation>{cut}: Gewinn {gain}, Validierung {validation}</translation>
    </message>
    <message>
        <source>{cut}: gain {gain}</source>
        <translation>{cut}: Gewinn {gain}</translation>
    </message>
    <message>
        <source>These are {n} cuts: write at most {most}.</source>
        <translation>Das sind {n} Schnitte: Schreiben Sie höchstens {most}.</translation>
    </message>
    <message>
        <source>Best cut</source>
        <translation>Bester Schnitt</translation>
    </message>
    <message>
        <source>{share} below the best cut</source>
        <translation>{share} unter dem besten Schnitt</translation>
    </message>
    <message>
        <source>Choose levels first: click bars, or type a part of their names.</source>
        <translation>Wählen Sie zuerst Ausprägungen: Klicken Sie auf Balken, oder tippen Sie einen Teil der Namen.</translation>
    </message>
    <message>
        <source>A split needs at least two branches.</source>
        <translation>Eine Teilung braucht mindestens zwei Zweige.</translation>
    </message>
    <message>
        <source>A split needs at least two branches: there is no other branch for these levels.</source>
        <translation>Eine Teilung braucht mindestens zwei Zweige: Für diese Ausprägungen gibt es keinen anderen Zweig.</translation>
    </message>
    <message>
        <source>Best groups</source>
        <translation>Beste Gruppen</translation>
    </message>
    <message>
        <source>{share} below the best groups</source>
        <translation>{share} unter den besten Gruppen</translation>
    </message>
    <message>
        <source>{level} · all branches, in part</source>
        <translation>{level} · alle Zweige, anteilig</translation>
    </message>
    <message>
        <source>{level} · branch {branch}</source>
        <translation>{level} · Zweig {branch}</translation>
    </message>
    <message>
        <source>1 level has no rows</source>
        <translation>1 Ausprägung hat keine Zeilen</translation>
    </message>
    <message>
        <source>{n} levels have no rows</source>
        <translation>{n} Ausprägungen haben keine Zeilen</translation>
    </message>
    <message>
        <source>With absolute error, the gain of groups is computed from the rows.</source>
        <translation>Beim absoluten Fehler wird der Gewinn von Gruppen aus den Zeilen berechnet.</translation>
    </message>
    <message>
        <source>No training row here lacks the value: branch {branch} is empty.</source>
        <translation>Keiner Trainingszeile hier fehlt der Wert: Zweig {branch} ist leer.</translation>
    </message>
    <message>
        <source>No training row here goes into branch {branch}.</source>
        <translation>Keine Trainingszeile hier geht in den Zweig {branch}.</translation>
    </message>
    <message>
        <source>Predicts {prediction}</source>
        <translation>Sagt {prediction} vorher</translation>
    </message>
    <message>
        <source>leaf {leaf}</source>
        <translation>Blatt {leaf}</translation>
    </message>
    <message>
        <source>Predicts {prediction}: values are missing, so parts of the row stand in {n} leaves, whose mean this is.</source>
        <translation>Sagt {prediction} vorher: Werte fehlen, daher stehen Anteile der Zeile in {n} Blättern; dies ist deren Mittel.</translation>
    </message>
    <message>
        <source>Predicts {prediction}, as leaf {leaf} with {rows} does.</source>
        <translation>Sagt {prediction} vorher, wie Blatt {leaf} mit {rows}.</translation>
    </message>
    <message>
        <source>Predicts {prediction} ({share}), as leaf {leaf} with {rows} does.</source>
        <translation>Sagt {prediction} vorher ({share}), wie Blatt {leaf} mit {rows}.</translation>
    </message>
    <message>
        <source>Act: it earns {amount}.</source>
        <translation>Handeln: Das bringt {amount}.</translation>
    </message>
    <message>
        <source>Do not act: it earns {amount}.</source>
        <translation>Nicht handeln: Es bringt {amount}.</translation>
    </message>
    <message>
        <source>{condition} instead of {value}</source>
        <translation>{condition} statt {value}</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>{prediction} if {changes}</source>
        <translation>{prediction}, wenn {changes}</translation>
    </message>
    <message>
        <source>No change of its values leads to another prediction.</source>
        <translation>Keine Änderung der Werte führt zu einer anderen Vorhersage.</translation>
    </message>
    <message>
        <source>{change}
A click sets {values}.</source>
        <translation>{change}
Ein Klick setzt {values}.</translation>
    </message>
    <message>
        <source>{level}: {rows}, {share}</source>
        <translation>{level}: {rows}, {share}</translation>
    </message>
    <message>
        <source>{level}: {rows}, mean {mean}</source>
        <translation>{level}: {rows}, Mittelwert {mean}</translation>
    </message>
    <message>
        <source>{branches} and {n} more</source>
        <translation>{branches} und {n} weitere</translation>
    </message>
    <message>
        <source>No training row here goes into branches {branches}.</source>
        <translation>Keine Trainingszeile hier geht in die Zweige {branches}.</translation>
    </message>
    <message>
        <source>There is no branch {branch}: N makes a new one.</source>
        <translation>Es gibt keinen Zweig {branch}: N macht einen neuen.</translation>
    </message>
    <message>
        <source>{levels}: drop on a branch or a bar</source>
        <translation>{levels}: auf einem Zweig oder Balken ablegen</translation>
    </message>
    <message>
        <source>{levels} → new branch</source>
        <translation>{levels} → neuer Zweig</translation>
    </message>
    <message>
        <source>{levels} → branch {branch}</source>
        <translation>{levels} → Zweig {branch}</translation>
    </message>
    <message>
        <source>Choose levels of several branches first.</source>
        <translation>Wählen Sie zuerst Ausprägungen mehrerer Zweige.</translation>
    </message>
    <message>
        <source>{n} branches are too many to make by hand.</source>
        <translation>{n} Zweige sind zu viele, um sie von Hand zu machen.</translation>
    </message>
    <message>
        <source>Only one level has rows here.</source>
        <translation>Nur eine Ausprägung hat hier Zeilen.</translation>
    </message>
    <message>
        <source>No other level has rows here.</source>
        <translation>Keine andere Ausprägung hat hier Zeilen.</translation>
    </message>
    <message>
        <source>Every level that is here has fewer than {rows} rows.</source>
        <translation>Jede Ausprägung hier hat weniger als {rows} Zeilen.</translation>
    </message>
    <message>
        <source>No level that is here has fewer than {rows} rows.</source>
        <translation>Keine Ausprägung hier hat weniger als {rows} Zeilen.</translation>
    </message>
    <message>
        <source>Every level that is here weighs less than {weight}.</source>
        <translation>Jede Ausprägung, die hier vorkommt, wiegt weniger als {weight}.</translation>
    </message>
    <message>
        <source>No level that is here weighs less than {weight}.</source>
        <translation>Keine Ausprägung, die hier vorkommt, wiegt weniger als {weight}.</translation>
    </message>
    <message>
        <source>Searching for groups</source>
        <translation>Gruppen werden gesucht</translation>
    </message>
    <message>
        <source>No level here contains “{text}”.</source>
        <translation>Keine Ausprägung hier enthält „{text}“.</translation>
    </message>
    <message>
        <source>“{level}” is not a number.</source>
        <translation>„{level}“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>There is only one level, which no cut divides.</source>
        <translation>Es gibt nur eine Ausprägung, die kein Schnitt teilt.</translation>
    </message>
    <message>
        <source>Climbing …</source>
        <translation>Aufstieg läuft …</translation>
    </message>
    <message>
        <source>No condition separates the rows under the current search options: there are no steps to show.</source>
        <translation>Mit den jetzigen Suchoptionen trennt keine Bedingung die Zeilen: Es gibt keine Schritte zu zeigen.</translation>
    </message>
    <message>
        <source>A split has at most 16 conditions.</source>
        <translation>Eine Teilung hat höchstens 16 Bedingungen.</translation>
    </message>
    <message>
        <source>The conditions; ticked ones count</source>
        <translation>Die Bedingungen; angekreuzte zählen</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>A condition to be written: a column, a sign, a value; Enter adds it</source>
        <translation>Eine Bedingung zum Schreiben: eine Spalte, ein Zeichen, ein Wert; Eingabe fügt sie hinzu</translation>
    </message>
    <message>
        <source>Add condition</source>
        <translation>Bedingung hinzufügen</translation>
    </message>
    <message>
        <source>Add a condition: {example}</source>
        <translation>Bedingung hinzufügen: {example}</translation>
    </message>
    <message>
        <source>How the split was found; click a step to take it</source>
        <translation>Wie die Teilung gefunden wurde; ein Klick auf einen Schritt übernimmt ihn</translation>
    </message>
    <message>
        <source>Steps of the climb</source>
        <translation>Schritte des Aufstiegs</translation>
    </message>
    <message>
        <source>How many conditions have to hold</source>
        <translation>Wie viele Bedingungen gelten müssen</translation>
    </message>
    <message>
        <source>How the climb found it</source>
        <translation>Wie der Aufstieg sie fand</translation>
    </message>
    <message>
        <source>Best found</source>
        <translation>Beste gefundene</translation>
    </message>
    <message>
        <source>{share} below the best found</source>
        <translation>{share} unter dem besten gefundenen</translation>
    </message>
    <message>
        <source>Climbing to the conditions</source>
        <translation>Aufstieg zu den Bedingungen</translation>
    </message>
    <message>
        <source>At least {m} of 1 holds</source>
        <translation>Mindestens {m} von 1 gilt</translation>
    </message>
    <message>
        <source>At least {m} of {n} hold</source>
        <translation>Mindestens {m} von {n} gelten</translation>
    </message>
    <message>
        <source>{m} of {n}   {gain}   + {conditions}</source>
        <translation>{m} aus {n}   {gain}   + {conditions}</translation>
    </message>
    <message>
        <source>A split needs at least one condition.</source>
        <translation>Eine Teilung braucht mindestens eine Bedingung.</translation>
    </message>
    <message>
        <source>This condition is already included.</source>
        <translation>Diese Bedingung ist schon dabei.</translation>
    </message>
    <message>
        <source>The climb failed; the log has the details.</source>
        <translation>Der Aufstieg ist gescheitert; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Rows and gain by value of the column</source>
        <translation>Zeilen und Gewinn nach Wert der Spalte</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>training weight</source>
        <translation>Trainingsgewicht</translation>
    </message>
    <message>
        <source>Against all other rows</source>
        <translation>Gegen alle anderen Zeilen</translation>
    </message>
    <message>
        <source>other rows</source>
        <translation>andere Zeilen</translation>
    </message>
    <message>
        <source>Against the sibling</source>
        <translation>Gegen die Geschwister</translation>
    </message>
    <message>
        <source>sibling</source>
        <translation>Geschwister</translation>
    </message>
    <message>
        <source>Against the parent</source>
        <translation>Gegen den Elternknoten</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>Elternknoten</translation>
    </message>
    <message>
        <source>training rows</source>
        <translation>Trainingszeilen</translation>
    </message>
    <message>
        <source>Validation against training</source>
        <translation>Validierung gegen Training</translation>
    </message>
    <message>
        <source>Mean of the rows that have a value</source>
        <translation>Mittelwert der Zeilen mit Wert</translation>
    </message>
    <message>
        <source>How the rows spread over the values: those of the nodes in colour, the others grey</source>
        <translation>Wie sich die Zeilen auf die Werte verteilen: die der Knoten farbig, die anderen grau</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>The largest difference of shares that one condition on the column shows. Columns are in the order of what exceeds chance; grey ones do not</source>
        <translation>Der größte Unterschied der Anteile, den eine einzelne Bedingung an die Spalte zeigt. Die Spalten stehen in der Reihenfolge dessen, was über den Zufall hinausgeht; bei grauen geht nichts darüber hinaus</translation>
    </message>
    <message>
        <source>The difference that the same condition shows on validation rows, which had no part in finding it</source>
        <translation>Der Unterschied, den dieselbe Bedingung auf Validierungszeilen zeigt, die an ihrer Suche nicht beteiligt waren</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Which rows are more frequent in the nodes than among the others</source>
        <translation>Welche Zeilen in den Knoten häufiger sind als unter den anderen</translation>
    </message>
    <message>
        <source>Share of the nodes’ rows that fulfil the condition</source>
        <translation>Anteil der Zeilen der Knoten, die die Bedingung erfüllen</translation>
    </message>
    <message>
        <source>Share: {others}</source>
        <translation>Anteil: {others}</translation>
    </message>
    <message>
        <source>Share of the others that fulfil it</source>
        <translation>Anteil der anderen, die sie erfüllen</translation>
    </message>
    <message>
        <source>Mean: {others}</source>
        <translation>Mittelwert: {others}</translation>
    </message>
    <message>
        <source>d</source>
        <translation>d</translation>
    </message>
    <message>
        <source>Difference of the means ÷ standard deviation (Cohen’s d)</source>
        <translation>Unterschied der Mittelwerte ÷ Standardabweichung (Cohens d)</translation>
    </message>
    <message>
        <source>Share of the nodes’ rows without a value</source>
        <translation>Anteil der Zeilen der Knoten ohne Wert</translation>
    </message>
    <message>
        <source>Missing: {others}</source>
        <translation>Fehlend: {others}</translation>
    </message>
    <message>
        <source>Share of the others without a value</source>
        <translation>Anteil der anderen ohne Wert</translation>
    </message>
    <message>
        <source>Chance</source>
        <translation>Zufall</translation>
    </message>
    <message>
        <source>The difference of two random groups of these sizes</source>
        <translation>Der Unterschied zweier zufälliger Gruppen dieser Größe</translation>
    </message>
    <message>
        <source>The column, larger</source>
        <translation>Die Spalte, größer</translation>
    </message>
    <message>
        <source>With which rows those of the selected nodes are compared</source>
        <translation>Mit welchen Zeilen die der ausgewählten Knoten verglichen werden</translation>
    </message>
    <message>
        <source>Columns, that which differs most first</source>
        <translation>Spalten, die mit dem größten Unterschied zuerst</translation>
    </message>
    <message>
        <source>Copies the columns that are selected, or all, for a spreadsheet</source>
        <translation>Kopiert die ausgewählten Spalten, oder alle, für eine Tabellenkalkulation</translation>
    </message>
    <message>
        <source>Open a table: here the rows of a node are compared with others.</source>
        <translation>Öffnen Sie eine Tabelle: Hier werden die Zeilen eines Knotens mit anderen verglichen.</translation>
    </message>
    <message>
        <source>The root has no parent: select another node.</source>
        <translation>Die Wurzel hat keinen Elternknoten: Wählen Sie einen anderen Knoten.</translation>
    </message>
    <message>
        <source>There is nothing to compare with: select one or more nodes below the root.</source>
        <translation>Es gibt nichts, womit zu vergleichen wäre: Wählen Sie einen oder mehrere Knoten unter der Wurzel.</translation>
    </message>
    <message>
        <source>Comparing the columns</source>
        <translation>Die Spalten werden verglichen</translation>
    </message>
    <message>
        <source>{nodes}: {rows} for validation against {others} for training</source>
        <translation>{nodes}: {rows} für die Validierung gegen {others} für das Training</translation>
    </message>
    <message>
        <source>{nodes}: {rows} against {others}</source>
        <translation>{nodes}: {rows} gegen {others}</translation>
    </message>
    <message>
        <source>these nodes</source>
        <translation>diese Knoten</translation>
    </message>
    <message>
        <source>p</source>
        <translation>p</translation>
    </message>
    <message>
        <source>below best</source>
        <translation>unter dem Besten</translation>
    </message>
    <message>
        <source>How much the impurity falls on the training rows, under the criterion in use: the thick curve</source>
        <translation>Um wie viel die Unreinheit auf den Trainingszeilen fällt, nach dem verwendeten Kriterium: die dicke Kurve</translation>
    </message>
    <message>
        <source>The p-value: the chance of such a gain if the column were unrelated to the target, adjusted for the search</source>
        <translation>Der p-Wert: die Wahrscheinlichkeit eines solchen Gewinns, wenn die Spalte nichts mit der Zielspalte zu tun hätte, angepasst an die Suche</translation>
    </message>
    <message>
        <source>The share of the gain of the column&apos;s best split that this one does not have; or has beyond it, with more cuts</source>
        <translation>Der Anteil am Gewinn der besten Teilung der Spalte, den diese nicht hat; oder, mit mehr Schnitten, darüber hinaus hat</translation>
    </message>
    <message>
        <source>Why this split? Its arithmetic, with its own counts (W)</source>
        <translation>Warum diese Teilung? Ihr Rechenweg mit ihren eigenen Zahlen (W)</translation>
    </message>
    <message>
        <source>Restores the best split of this column</source>
        <translation>Stellt die beste Teilung dieser Spalte wieder her</translation>
    </message>
    <message>
        <source>What the predictions of the branches, made from training rows, improve on the validation rows; below 0 where they mislead: the thin curve</source>
        <translation>Was die Vorhersagen der Zweige, aus Trainingszeilen gemacht, auf den Validierungszeilen verbessern; unter 0, wo sie in die Irre führen: die dünne Kurve</translation>
    </message>
    <message>
        <source>beyond best</source>
        <translation>über dem Besten</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>mean ± SD of {target}, own scale</source>
        <translation>Mittelwert ± SD von {target}, eigene Skala</translation>
    </message>
    <message>
        <source>gain of a single cut</source>
        <translation>Gewinn eines einzelnen Schnitts</translation>
    </message>
    <message>
        <source>cuts of samples</source>
        <translation>Schnitte der Stichproben</translation>
    </message>
    <message>
        <source>{branch}: {rows} training rows, {says}, {validation}</source>
        <translation>{branch}: {rows} Trainingszeilen, {says}, {validation}</translation>
    </message>
    <message>
        <source>{branch}: {rows} training rows, {says}</source>
        <translation>{branch}: {rows} Trainingszeilen, {says}</translation>
    </message>
    <message>
        <source>Branches of the split</source>
        <translation>Zweige der Teilung</translation>
    </message>
    <message>
        <source>and 1 more branch</source>
        <translation>und 1 weiterer Zweig</translation>
    </message>
    <message>
        <source>and {n} more branches</source>
        <translation>und {n} weitere Zweige</translation>
    </message>
    <message>
        <source>to {value}</source>
        <translation>bis {value}</translation>
    </message>
    <message>
        <source>valid {figure}</source>
        <translation>Valid. {figure}</translation>
    </message>
    <message>
        <source>no rows</source>
        <translation>keine Zeilen</translation>
    </message>
    <message>
        <source>Write one cut or several, such as {example}.</source>
        <translation>Schreiben Sie einen oder mehrere Schnitte, wie {example}.</translation>
    </message>
    <message>
        <source>“{part}” can be one number or several: write {plain}, or a blank after each comma.</source>
        <translation>„{part}“ kann eine Zahl sein oder mehrere: Schreiben Sie {plain}, oder ein Leerzeichen nach jedem Komma.</translation>
    </message>
    <message>
        <source>“{part}” is not a number: write cuts such as 5, 10, 20 or 0.5.</source>
        <translation>„{part}“ ist keine Zahl: Schreiben Sie Schnitte wie 5, 10, 20 oder 0.5.</translation>
    </message>
    <message>
        <source>“{part}” is not a finite number: write numbers such as 5, 10, 20.</source>
        <translation>„{part}“ ist keine endliche Zahl: Schreiben Sie Zahlen wie 5, 10, 20.</translation>
    </message>
    <message>
        <source>“{part}” could be day/month or month/day: write it as 2013-07-01.</source>
        <translation>„{part}“ könnte Tag/Monat oder Monat/Tag sein: Schreiben Sie es als 2013-07-01.</translation>
    </message>
    <message>
        <source>“{part}” is not a date: write it as 2013-07-01 or 2013-07-01 14:30.</source>
        <translation>„{part}“ ist kein Datum: Schreiben Sie es als 2013-07-01 oder 2013-07-01 14:30.</translation>
    </message>
    <message>
        <source>“{text}” is not a complete condition: write a condition such as {example}.</source>
        <translation>„{text}“ ist keine vollständige Bedingung: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>Write a condition such as {example}.</source>
        <translation>Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>No feature is called “{name}”: write a condition such as {example}.</source>
        <translation>Kein Merkmal heißt „{name}“: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>“{column}” is categorical, so use = or !=: write a condition such as {example}.</source>
        <translation>„{column}“ ist kategorial, verwenden Sie also = oder !=: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>“{value}” is more than one value: write a condition such as {example}.</source>
        <translation>„{value}“ ist mehr als ein Wert: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>A condition on “{column}” uses &lt;= or &gt;: write a condition such as {example}.</source>
        <translation>Eine Bedingung an „{column}“ verwendet &lt;= oder &gt;: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>“{column}” has no level “{level}”: write a condition such as {example}.</source>
        <translation>„{column}“ hat keine Ausprägung „{level}“: Schreiben Sie eine Bedingung wie {example}.</translation>
    </message>
    <message>
        <source>{criterion} is no function of a node&apos;s mean, so there is no curve to draw; choose {usual} for one.</source>
        <translation>{criterion} ist keine Funktion des Mittelwerts eines Knotens, also gibt es keine Kurve zu zeichnen; wählen Sie dafür {usual}.</translation>
    </message>
    <message>
        <source>“{class_name}” alone</source>
        <translation>„{class_name}“ allein</translation>
    </message>
    <message>
        <source>The figure asks only for “{class_name}” against the rest: no single q tells a node of {n} classes. Its drop is that of this question, the sum has all classes.</source>
        <translation>Das Schaubild fragt nur nach „{class_name}“ gegen die übrigen: Kein einzelnes q beschreibt einen Knoten mit {n} Klassen. Sein Abfall ist der dieser Frage, die Summe hat alle Klassen.</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>{criterion} is drawn at half its {unit}, so that all curves meet at ½.</source>
        <translation>{criterion} ist mit der Hälfte ({unit}) gezeichnet, damit sich alle Kurven bei ½ treffen.</translation>
    </message>
    <message>
        <source>{criterion} is drawn at {factor} times its {unit}, so that all curves meet at ½.</source>
        <translation>{criterion} ist mit dem {factor}-fachen ({unit}) gezeichnet, damit sich alle Kurven bei ½ treffen.</translation>
    </message>
    <message>
        <source>share of “{class_name}”</source>
        <translation>Anteil von „{class_name}“</translation>
    </message>
    <message>
        <source>impurity</source>
        <translation>Unreinheit</translation>
    </message>
    <message>
        <source>impurity in {unit}</source>
        <translation>Unreinheit in {unit}</translation>
    </message>
    <message>
        <source>share of one class</source>
        <translation>Anteil einer Klasse</translation>
    </message>
    <message>
        <source>All branches have the mean of the node: the chord is a point, and the drop is 0.</source>
        <translation>Alle Zweige haben den Mittelwert des Knotens: Die Sehne ist ein Punkt, und der Abfall ist 0.</translation>
    </message>
    <message>
        <source>mean of {target}</source>
        <translation>Mittelwert von {target}</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Impurity over the share of a class: node, branches, and the chord between</source>
        <translation>Unreinheit über dem Anteil einer Klasse: Knoten, Zweige und die Sehne dazwischen</translation>
    </message>
    <message>
        <source>drop {drop} for {question}</source>
        <translation>Abfall {drop} für {question}</translation>
    </message>
    <message>
        <source>drop {drop}</source>
        <translation>Abfall {drop}</translation>
    </message>
    <message>
        <source>Gain of every threshold, drawn from left to right</source>
        <translation>Gewinn jeder Schwelle, von links nach rechts gezeichnet</translation>
    </message>
    <message>
        <source>{gain} · the best</source>
        <translation>{gain} · die beste</translation>
    </message>
    <message>
        <source>There is no candidate whose threshold could be moved</source>
        <translation>Es gibt keinen Kandidaten, dessen Schwelle sich bewegen ließe</translation>
    </message>
    <message>
        <source>The levels have no order: there is no threshold to move</source>
        <translation>Die Ausprägungen haben keine Ordnung: Es gibt keine Schwelle zu bewegen</translation>
    </message>
    <message>
        <source>No threshold is allowed here</source>
        <translation>Hier ist keine Schwelle erlaubt</translation>
    </message>
    <message>
        <source>Rankings of the columns by every criterion</source>
        <translation>Rangfolgen der Spalten nach jedem Kriterium</translation>
    </message>
    <message>
        <source>{criterion}: rank {rank}, {gain}</source>
        <translation>{criterion}: Rang {rank}, {gain}</translation>
    </message>
    <message>
        <source>and {n} columns that cannot split here</source>
        <translation>und {n} Spalten, die hier nicht teilen können</translation>
    </message>
    <message>
        <source>and 1 column that cannot split here</source>
        <translation>und 1 Spalte, die hier nicht teilen kann</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>The expected cost over the training rows here if all get this class; the label has the lowest</source>
        <translation>Die erwarteten Kosten über die Trainingszeilen hier, wenn alle diese Klasse bekommen; die Vorhersage hat die kleinsten</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>Wurzel</translation>
    </message>
    <message>
        <source>Leaf {node} at depth {depth}</source>
        <translation>Blatt {node} in Tiefe {depth}</translation>
    </message>
    <message>
        <source>Root, split by {column} (by hand)</source>
        <translation>Wurzel, geteilt nach {column} (von Hand)</translation>
    </message>
    <message>
        <source>Root, split by {column}</source>
        <translation>Wurzel, geteilt nach {column}</translation>
    </message>
    <message>
        <source>Node {node} at depth {depth}, split by {column} (by hand)</source>
        <translation>Knoten {node} in Tiefe {depth}, geteilt nach {column} (von Hand)</translation>
    </message>
    <message>
        <source>Node {node} at depth {depth}, split by {column}</source>
        <translation>Knoten {node} in Tiefe {depth}, geteilt nach {column}</translation>
    </message>
    <message>
        <source>{n} training rows ({share} of all)</source>
        <translation>{n} Trainingszeilen ({share} aller)</translation>
    </message>
    <message>
        <source>{n} validation rows ({share} of all)</source>
        <translation>{n} Validierungszeilen ({share} aller)</translation>
    </message>
    <message>
        <source>No rows.</source>
        <translation>Keine Zeilen.</translation>
    </message>
    <message>
        <source>Predicts {label}.</source>
        <translation>Sagt {label} vorher.</translation>
    </message>
    <message>
        <source>{error} as a leaf: {figures}.</source>
        <translation>{error} als Blatt: {figures}.</translation>
    </message>
    <message>
        <source>With its branches: {figures}.</source>
        <translation>Mit ihren Zweigen: {figures}.</translation>
    </message>
    <message>
        <source>Expected cost as a leaf: {figures}.</source>
        <translation>Erwartete Kosten als Blatt: {figures}.</translation>
    </message>
    <message>
        <source>{n} folds</source>
        <translation>{n} Teile</translation>
    </message>
    <message>
        <source>{n} folds by “{column}”</source>
        <translation>{n} Teile nach „{column}“</translation>
    </message>
    <message>
        <source>{n} folds in the order of “{column}”</source>
        <translation>{n} Teile in der Reihenfolge von „{column}“</translation>
    </message>
    <message>
        <source>{n} bootstrap samples</source>
        <translation>{n} Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>{n} subsamples</source>
        <translation>{n} Teilstichproben</translation>
    </message>
    <message>
        <source>an error of {figure}</source>
        <translation>einen Fehler von {figure}</translation>
    </message>
    <message>
        <source>a mean cost of {figure}</source>
        <translation>mittlere Kosten von {figure}</translation>
    </message>
    <message>
        <source>a mean squared error of {figure}</source>
        <translation>einen mittleren quadratischen Fehler von {figure}</translation>
    </message>
    <message>
        <source>a mean absolute error of {figure}</source>
        <translation>einen mittleren absoluten Fehler von {figure}</translation>
    </message>
    <message>
        <source>A tree looks better on the rows that made it than it is. Here it is made again on parts of the training rows, and judged by the rest of them. Bootstrap samples also say which splits return, forests what a single tree costs.</source>
        <translation>Auf den Zeilen, aus denen er entstand, sieht ein Baum besser aus, als er ist. Hier entsteht er noch einmal aus Teilen der Trainingszeilen, und die übrigen beurteilen ihn. Bootstrap-Stichproben sagen auch, welche Teilungen wiederkehren, Wälder, was ein einzelner Baum kostet.</translation>
    </message>
    <message>
        <source>About another tree, split or options than those on the screen.</source>
        <translation>Über einen anderen Baum, eine andere Teilung oder andere Optionen als die jetzigen.</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>The mean recall of the classes: the rare ones count as much as the frequent ones</source>
        <translation>Der mittlere Recall der Klassen: Die seltenen zählen so viel wie die häufigen</translation>
    </message>
    <message>
        <source>Of the rows that are predicted as this class the share that is of it</source>
        <translation>Der Anteil der als diese Klasse vorhergesagten Zeilen, die zu ihr gehören</translation>
    </message>
    <message>
        <source>Of the rows of this class the share that is predicted so</source>
        <translation>Der Anteil der Zeilen dieser Klasse, die so vorhergesagt werden</translation>
    </message>
    <message>
        <source>The harmonic mean of precision and recall</source>
        <translation>Das harmonische Mittel von Präzision und Recall</translation>
    </message>
    <message>
        <source>The correlation of what is true and what is predicted, from −1 to 1; 0 is chance</source>
        <translation>Die Korrelation von Wahrem und Vorhergesagtem, von −1 bis 1; 0 ist Zufall</translation>
    </message>
    <message>
        <source>The agreement beyond that of chance; 1 is perfect, 0 is chance</source>
        <translation>Die Übereinstimmung über den Zufall hinaus; 1 ist vollkommen, 0 ist Zufall</translation>
    </message>
    <message>
        <source>How probably a row of the class gets a higher probability of it than another row; 0.5 is chance</source>
        <translation>Wie wahrscheinlich eine Zeile der Klasse eine höhere Wahrscheinlichkeit für diese bekommt als eine andere Zeile; 0.5 ist Zufall</translation>
    </message>
    <message>
        <source>The mean of −ln of the probability that was given to the true class; 0 is perfect</source>
        <translation>Der Mittelwert von −ln der Wahrscheinlichkeit, die die wahre Klasse bekam; 0 ist vollkommen</translation>
    </message>
    <message>
        <source>The mean squared distance of the probabilities from what was true, summed over all classes (for two it is twice that of one class alone): reliability − resolution + uncertainty</source>
        <translation>Der mittlere quadrierte Abstand der Wahrscheinlichkeiten von dem, was wahr war, über alle Klassen summiert (bei zweien das Doppelte dessen einer Klasse allein): Verlässlichkeit − Auflösung + Unsicherheit</translation>
    </message>
    <message>
        <source>How far the probabilities are from the shares that came true; 0 is best</source>
        <translation>Wie weit die Wahrscheinlichkeiten von den eingetroffenen Anteilen entfernt sind; 0 ist am besten</translation>
    </message>
    <message>
        <source>How far these shares are from that of all rows; more is better</source>
        <translation>Wie weit diese Anteile von dem aller Zeilen entfernt sind; mehr ist besser</translation>
    </message>
    <message>
        <source>What is to be explained: the same for every tree</source>
        <translation>Was zu erklären ist: für jeden Baum dasselbe</translation>
    </message>
    <message>
        <source>What the mistakes cost on average, by the costs and priors of the search options</source>
        <translation>Was die Fehler im Mittel kosten, nach den Kosten und A-priori-Anteilen der Suchoptionen</translation>
    </message>
    <message>
        <source>What a row earns on average where each leaf is acted on or not, by the profits that are set</source>
        <translation>Was eine Zeile im Mittel bringt, wenn bei jedem Blatt gehandelt wird oder nicht, nach den gesetzten Erträgen</translation>
    </message>
    <message>
        <source>The error of a tree of one leaf, which always says the most frequent class of the training rows</source>
        <translation>Der Fehler eines Baumes aus einem Blatt, der immer die häufigste Klasse der Trainingszeilen vorhersagt</translation>
    </message>
    <message>
        <source>Which share of the squared deviation from the mean is explained; below 0 the mean is better</source>
        <translation>Welcher Anteil der quadrierten Abweichung vom Mittelwert erklärt ist; unter 0 ist der Mittelwert besser</translation>
    </message>
    <message>
        <source>The residual, actual less predicted, below which this share of the rows lies</source>
        <translation>Das Residuum, tatsächlich minus vorhergesagt, unter dem dieser Anteil der Zeilen liegt</translation>
    </message>
    <message>
        <source>Mean cost</source>
        <translation>Mittlere Kosten</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error of always “{name}”</source>
        <translation>Fehler, wenn immer „{name}“ vorhergesagt wird</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Balanced accuracy</source>
        <translation>Balancierte Genauigkeit</translation>
    </message>
    <message>
        <source>Precision of {name}</source>
        <translation>Präzision von {name}</translation>
    </message>
    <message>
        <source>Recall of {name}</source>
        <translation>Recall von {name}</translation>
    </message>
    <message>
        <source>F1 of {name}</source>
        <translation>F1 von {name}</translation>
    </message>
    <message>
        <source>AUC of {name}</source>
        <translation>AUC von {name}</translation>
    </message>
    <message>
        <source>AUC, mean of the classes</source>
        <translation>AUC, Mittelwert der Klassen</translation>
    </message>
    <message>
        <source>Matthews correlation</source>
        <translation>Matthews-Korrelation</translation>
    </message>
    <message>
        <source>Cohen&apos;s κ</source>
        <translation>Cohens κ</translation>
    </message>
    <message>
        <source>Log loss</source>
        <translation>Log-Loss</translation>
    </message>
    <message>
        <source>Brier score</source>
        <translation>Brier-Score</translation>
    </message>
    <message>
        <source>Brier: reliability</source>
        <translation>Brier: Zuverlässigkeit</translation>
    </message>
    <message>
        <source>Brier: resolution</source>
        <translation>Brier: Auflösung</translation>
    </message>
    <message>
        <source>Brier: uncertainty</source>
        <translation>Brier: Unsicherheit</translation>
    </message>
    <message>
        <source>Root mean squared error</source>
        <translation>Wurzel des mittleren quadratischen Fehlers</translation>
    </message>
    <message>
        <source>Residuals, {share} below</source>
        <translation>Residuen, {share} darunter</translation>
    </message>
    <message>
        <source>The branch of node {node}.</source>
        <translation>Der Zweig von Knoten {node}.</translation>
    </message>
    <message>
        <source>These splits were chosen with all training rows, so it is somewhat too good.</source>
        <translation>Diese Teilungen wurden mit allen Trainingszeilen gewählt, also ist es etwas zu gut.</translation>
    </message>
    <message>
        <source>Rows without a value count in parts, in each leaf that has one; “predict” takes the mean of these leaves, so single predictions may err more or less often.</source>
        <translation>Zeilen ohne Wert zählen zu Teilen, in jedem Blatt, das einen Teil hat; „predict“ nimmt den Mittelwert dieser Blätter, also können einzelne Vorhersagen öfter oder seltener irren.</translation>
    </message>
    <message>
        <source>Training figures come from the rows that made the tree: on new rows they are seldom as good.</source>
        <translation>Trainingszahlen stammen von den Zeilen, aus denen der Baum entstand: Auf neuen Zeilen sind sie selten so gut.</translation>
    </message>
    <message>
        <source>The validation rows compared several trees and flatter the one that they chose, so they have no intervals.</source>
        <translation>Die Validierungszeilen haben mehrere Bäume verglichen und schmeicheln dem, den sie gewählt haben, daher haben sie keine Intervalle.</translation>
    </message>
    <message>
        <source>Intervals hold 95 %.</source>
        <translation>Die Intervalle gelten mit 95 %.</translation>
    </message>
    <message>
        <source>The probabilities come from the validation rows, so these do not judge them.</source>
        <translation>Die Wahrscheinlichkeiten kommen aus den Validierungszeilen, also beurteilen diese sie nicht.</translation>
    </message>
    <message>
        <source>Folds ({what}; {how}): each row is judged by a tree that was made without it, and ranked among the rows of its fold.</source>
        <translation>Teile ({what}; {how}): Jede Zeile wird von einem Baum beurteilt, der ohne sie entstand, und unter den Zeilen ihres Teils gereiht.</translation>
    </message>
    <message>
        <source>On rows that took no part in making the tree</source>
        <translation>Auf Zeilen, aus denen der Baum nicht entstand</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>± is the standard error over folds; two figures are the range of the middle 95 % of the samples</source>
        <translation>± ist der Standardfehler über die Teile; zwei Zahlen sind die Spanne der mittleren 95 % der Stichproben</translation>
    </message>
    <message>
        <source>From the smallest to the largest tree</source>
        <translation>Vom kleinsten bis zum größten Baum</translation>
    </message>
    <message>
        <source>the rows that made it</source>
        <translation>die Zeilen, aus denen er entstand</translation>
    </message>
    <message>
        <source>The tree on the canvas</source>
        <translation>Der Baum auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>Split by “{column}” at node {node}</source>
        <translation>Teilung nach „{column}“ am Knoten {node}</translation>
    </message>
    <message>
        <source>The splits of the tree of {leaves}</source>
        <translation>Die Teilungen des Baumes ({leaves})</translation>
    </message>
    <message>
        <source>Growing by {criterion}</source>
        <translation>Wachsen nach {criterion}</translation>
    </message>
    <message>
        <source>Growing by {criterion}, pruning: {method}</source>
        <translation>Wachsen nach {criterion}, Stutzen: {method}</translation>
    </message>
    <message>
        <source>{how}, stopped after {n}</source>
        <translation>{how}, gestoppt nach {n}</translation>
    </message>
    <message>
        <source>each row left out once</source>
        <translation>jede Zeile einmal weggelassen</translation>
    </message>
    <message>
        <source>{how}, {times} times</source>
        <translation>{how}, {times}-mal</translation>
    </message>
    <message>
        <source>{error} ± {spread}</source>
        <translation>{error} ± {spread}</translation>
    </message>
    <message>
        <source>A random forest of {n} trees has {error} on rows that its trees have not seen.</source>
        <translation>Ein Zufallswald aus {n} Bäumen hat {error} auf Zeilen, die seine Bäume nicht gesehen haben.</translation>
    </message>
    <message>
        <source>{n} bagged trees together have {error} on rows that they have not seen.</source>
        <translation>{n} Bäume aus Bagging haben zusammen {error} auf Zeilen, die sie nicht gesehen haben.</translation>
    </message>
    <message>
        <source>The split alone has {error} on rows of its node by which its branches were not counted. These rows took part in choosing it, so it looks better than it is.</source>
        <translation>Die Teilung allein hat {error} auf Zeilen ihres Knotens, nach denen ihre Zweige nicht ausgezählt wurden. Diese Zeilen haben bei ihrer Wahl mitgewirkt, darum sieht sie besser aus, als sie ist.</translation>
    </message>
    <message>
        <source>The tree has {error} on rows by which its leaves were not counted. These rows took part in choosing its splits, so it looks better than it is.</source>
        <translation>Der Baum hat {error} auf Zeilen, nach denen seine Blätter nicht ausgezählt wurden. Diese Zeilen haben bei der Wahl seiner Teilungen mitgewirkt, darum sieht er besser aus, als er ist.</translation>
    </message>
    <message>
        <source>{n} trees of {leaves} leaves, grown by the search options and pruned ({method}), have {error} on rows that they have not seen.</source>
        <translation>{n} Bäume mit {leaves} Blättern, nach den Suchoptionen gewachsen und gestutzt ({method}), haben {error} auf Zeilen, die sie nicht gesehen haben.</translation>
    </message>
    <message>
        <source>{n} trees of {leaves} leaves, grown by the search options and not pruned, have {error} on rows that they have not seen.</source>
        <translation>{n} Bäume mit {leaves} Blättern, nach den Suchoptionen gewachsen und nicht gestutzt, haben {error} auf Zeilen, die sie nicht gesehen haben.</translation>
    </message>
    <message>
        <source>Of the tree&apos;s {n} splits, {k} return in at least half of the samples, and {share} of the rows get another class than from this tree.</source>
        <translation>Von den {n} Teilungen des Baums kehren {k} in mindestens der Hälfte der Stichproben wieder, und {share} der Zeilen bekommen eine andere Klasse als von diesem Baum.</translation>
    </message>
    <message>
        <source>A single tree ({what}) has {size} more error than the forest of {n} trees.</source>
        <translation>Ein einzelner Baum ({what}) hat {size} mehr Fehler als der Wald aus {n} Bäumen.</translation>
    </message>
    <message>
        <source>Of the tree&apos;s {n} splits, {k} return in at least half of the samples, and predictions change by {size} on average.</source>
        <translation>Von den {n} Teilungen des Baumes kehren {k} in mindestens der Hälfte der Stichproben wieder, und die Vorhersagen ändern sich im Mittel um {size}.</translation>
    </message>
    <message>
        <source>One tree is no worse: its error is {size} below that of the forest.</source>
        <translation>Ein Baum ist nicht schlechter: Sein Fehler liegt {size} unter dem des Waldes.</translation>
    </message>
    <message>
        <source>The probability of each class in a leaf here: its shares, with the priors and the smoothing</source>
        <translation>Die Wahrscheinlichkeit jeder Klasse in einem Blatt hier: ihre Anteile, mit den A-priori-Anteilen und der Glättung</translation>
    </message>
    <message>
        <source>Mean absolute error</source>
        <translation>Mittlerer absoluter Fehler</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>Mittlerer quadratischer Fehler</translation>
    </message>
    <message>
        <source>Its probabilities are the shares of {n} rows: the option “Probabilities” smooths them.</source>
        <translation>Seine Wahrscheinlichkeiten sind die Anteile von {n} Zeilen: Die Option „Wahrscheinlichkeiten“ glättet sie.</translation>
    </message>
    <message>
        <source>Expected error of a label drawn at random from the class shares (Gini): {figures}.</source>
        <translation>Erwarteter Fehler einer zufällig nach den Klassenanteilen gezogenen Vorhersage (Gini): {figures}.</translation>
    </message>
    <message>
        <source>{figure} training</source>
        <translation>{figure} Training</translation>
    </message>
    <message>
        <source>{figure} validation</source>
        <translation>{figure} Validierung</translation>
    </message>
    <message>
        <source>unknown (no rows)</source>
        <translation>unbekannt (keine Zeilen)</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>{target} {bin}: {here} of the training rows here, {all} of all</source>
        <translation>{target} {bin}: {here} der Trainingszeilen hier, {all} von allen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Set by hand</source>
        <translation>Von Hand gesetzt</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>Standardabweichung</translation>
    </message>
    <message>
        <source>Rows (weight)</source>
        <translation>Zeilen (Gewicht)</translation>
    </message>
    <message>
        <source>Note on this node</source>
        <translation>Notiz zu diesem Knoten</translation>
    </message>
    <message>
        <source>Write a note on this node…</source>
        <translation>Notiz zu diesem Knoten schreiben…</translation>
    </message>
    <message>
        <source>Act here: a row earns {profits}.</source>
        <translation>Hier handeln: Eine Zeile bringt {profits}.</translation>
    </message>
    <message>
        <source>Do not act here: a row earns {profits}.</source>
        <translation>Hier nicht handeln: Eine Zeile bringt {profits}.</translation>
    </message>
    <message>
        <source>A note goes with the tree into projects and exports. Ctrl+Enter saves it, Esc discards what was typed.</source>
        <translation>Eine Notiz geht mit dem Baum in Projekte und Exporte. Strg+Eingabe speichert sie, Esc verwirft das Getippte.</translation>
    </message>
    <message>
        <source>Rule of the node</source>
        <translation>Regel des Knotens</translation>
    </message>
    <message>
        <source>How often a label would be wrong that is drawn with the class shares of the training rows here, Gini’s stochastic rule; on the training rows that is the Gini impurity.</source>
        <translation>Wie oft eine Vorhersage falsch wäre, die mit den Klassenanteilen der Trainingszeilen hier gezogen wird, Ginis stochastische Regel; auf den Trainingszeilen ist das die Gini-Unreinheit.</translation>
    </message>
    <message>
        <source>Copies the conditions that lead to this node</source>
        <translation>Kopiert die Bedingungen, die zu diesem Knoten führen</translation>
    </message>
    <message>
        <source>Copy rule</source>
        <translation>Regel kopieren</translation>
    </message>
    <message>
        <source>The target in this node</source>
        <translation>Die Zielspalte in diesem Knoten</translation>
    </message>
    <message>
        <source>Open a table: the selected node will be described here.</source>
        <translation>Öffnen Sie eine Tabelle: Der ausgewählte Knoten wird dann hier beschrieben.</translation>
    </message>
    <message>
        <source>All rows: no condition leads to the root.</source>
        <translation>Alle Zeilen: Zur Wurzel führt keine Bedingung.</translation>
    </message>
    <message>
        <source>Kept by pruning. {why}</source>
        <translation>Durch Stutzen behalten. {why}</translation>
    </message>
    <message>
        <source>Cut by pruning. {why}</source>
        <translation>Durch Stutzen geschnitten. {why}</translation>
    </message>
    <message>
        <source>Kept: leaf error {leaf} &gt; subtree error {branch} + penalty α {penalty}</source>
        <translation>Behalten: Fehler als Blatt {leaf} &gt; Fehler des Teilbaums {branch} + Strafterm α {penalty}</translation>
    </message>
    <message>
        <source>Cut: leaf error {leaf} ≤ subtree error {branch} + penalty α {penalty}</source>
        <translation>Geschnitten: Fehler als Blatt {leaf} ≤ Fehler des Teilbaums {branch} + Strafterm α {penalty}</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>nicht verwendet</translation>
    </message>
    <message>
        <source>predicted too high</source>
        <translation>zu hoch vorhergesagt</translation>
    </message>
    <message>
        <source>predicted too low</source>
        <translation>zu niedrig vorhergesagt</translation>
    </message>
    <message>
        <source>predicted {predicted}, is {actual}</source>
        <translation>vorhergesagt {predicted}, ist {actual}</translation>
    </message>
    <message>
        <source>Which class the tree predicts instead of the row’s own</source>
        <translation>Welche Klasse der Baum statt der eigenen der Zeile vorhersagt</translation>
    </message>
    <message>
        <source>How far the prediction is above the value of the row, or below</source>
        <translation>Wie weit die Vorhersage über oder unter dem Wert der Zeile liegt</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>What the tree predicts for the row</source>
        <translation>Was der Baum für die Zeile vorhersagt</translation>
    </message>
    <message>
        <source>How probable the predicted class is in the leaf</source>
        <translation>Wie wahrscheinlich die vorhergesagte Klasse in dem Blatt ist</translation>
    </message>
    <message>
        <source>The number of the leaf that the row reaches</source>
        <translation>Die Nummer des Blattes, das die Zeile erreicht</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Whether the row trains, validates or is kept for the last test</source>
        <translation>Ob die Zeile trainiert, validiert oder für den letzten Test zurückgelegt ist</translation>
    </message>
    <message>
        <source>Type the number of a row and press Enter: its values are taken, and it is followed through the tree</source>
        <translation>Tippen Sie die Nummer einer Zeile ein, und drücken Sie Eingabe: Ihre Werte werden übernommen, und sie wird durch den Baum verfolgt</translation>
    </message>
    <message>
        <source>Row number</source>
        <translation>Zeilennummer</translation>
    </message>
    <message>
        <source>Number of the row whose values are taken</source>
        <translation>Nummer der Zeile, deren Werte übernommen werden</translation>
    </message>
    <message>
        <source>Sets medians and most frequent levels of the training rows; they may never occur together</source>
        <translation>Setzt Mediane und häufigste Ausprägungen der Trainingszeilen; zusammen kommen sie vielleicht nie vor</translation>
    </message>
    <message>
        <source>Typical</source>
        <translation>Typisch</translation>
    </message>
    <message>
        <source>The column by which the chart shows predictions</source>
        <translation>Die Spalte, nach der das Diagramm Vorhersagen zeigt</translation>
    </message>
    <message>
        <source>Column of the chart</source>
        <translation>Spalte des Diagramms</translation>
    </message>
    <message>
        <source>A second column makes the chart a coloured map</source>
        <translation>Eine zweite Spalte macht aus dem Diagramm eine farbige Karte</translation>
    </message>
    <message>
        <source>Second column of the chart</source>
        <translation>Zweite Spalte des Diagramms</translation>
    </message>
    <message>
        <source>Open a table: here the values of a row can be changed, and what follows is seen.</source>
        <translation>Öffnen Sie eine Tabelle: Hier lassen sich die Werte einer Zeile ändern, und man sieht, was daraus folgt.</translation>
    </message>
    <message>
        <source>Looking at one row</source>
        <translation>Eine Zeile wird angesehen</translation>
    </message>
    <message>
        <source>no second column</source>
        <translation>keine zweite Spalte</translation>
    </message>
    <message>
        <source>and {column}</source>
        <translation>und {column}</translation>
    </message>
    <message>
        <source>The values of row {row}</source>
        <translation>Die Werte von Zeile {row}</translation>
    </message>
    <message>
        <source>Values of no row of the table</source>
        <translation>Werte keiner Zeile der Tabelle</translation>
    </message>
    <message>
        <source>Number of the row to follow</source>
        <translation>Nummer der zu verfolgenden Zeile</translation>
    </message>
    <message>
        <source>Type the number of a row and press Enter to follow it through the tree</source>
        <translation>Tippen Sie die Nummer einer Zeile, und drücken Sie Eingabe, um sie durch den Baum zu verfolgen</translation>
    </message>
    <message>
        <source>Rows where … {example}</source>
        <translation>Zeilen, für die … {example}</translation>
    </message>
    <message>
        <source>Condition of the rows to follow</source>
        <translation>Bedingung der zu verfolgenden Zeilen</translation>
    </message>
    <message>
        <source>A condition in the language of pandas queries, for instance {example}. Names with and, or, not or signs in them stand in backticks, text in quotes; missing values by {missing}, lists by {list}, ranges by {range}. Enter shows the flow of these rows; an empty field means all rows.</source>
        <translation>Eine Bedingung in der Sprache der pandas-Abfragen, zum Beispiel {example}. Namen mit and, or, not oder Zeichen stehen in Gravis-Zeichen, Text in Anführungszeichen; fehlende Werte mit {missing}, Listen mit {list}, Bereiche mit {range}. Eingabe zeigt den Weg dieser Zeilen; ein leeres Feld bedeutet alle Zeilen.</translation>
    </message>
    <message>
        <source>Which rows are listed: all, those with an error, or those with one kind of error</source>
        <translation>Welche Zeilen aufgeführt sind: alle, die mit einem Fehler, oder die mit einer Art von Fehler</translation>
    </message>
    <message>
        <source>Rows by error</source>
        <translation>Zeilen nach Fehler</translation>
    </message>
    <message>
        <source>Follows the rows of the selected nodes, in this tree and in the next</source>
        <translation>Verfolgt die Zeilen der ausgewählten Knoten, in diesem Baum und im nächsten</translation>
    </message>
    <message>
        <source>Follows the rows that the tree labels wrongly, or is furthest from; test rows only after they were looked at</source>
        <translation>Verfolgt die Zeilen, die der Baum falsch vorhersagt oder von denen er am weitesten entfernt ist; Testzeilen erst, nachdem sie angesehen wurden</translation>
    </message>
    <message>
        <source>E&amp;nd</source>
        <translation>&amp;Ende</translation>
    </message>
    <message>
        <source>Stops following (Esc)</source>
        <translation>Beendet das Verfolgen (Esc)</translation>
    </message>
    <message>
        <source>The rows are counted where they are: some of the selected node are drawn here, none has a number.</source>
        <translation>Die Zeilen werden an ihrem Ort gezählt: Hier stehen einige, die aus dem gewählten Knoten gezogen wurden; keine hat eine Nummer.</translation>
    </message>
    <message>
        <source>P({name})</source>
        <translation>P({name})</translation>
    </message>
    <message>
        <source>How probable the class “{name}” is in the leaf</source>
        <translation>Wie wahrscheinlich die Klasse „{name}“ in dem Blatt ist</translation>
    </message>
    <message>
        <source>The conditions on the way to the leaf</source>
        <translation>Die Bedingungen auf dem Weg zum Blatt</translation>
    </message>
    <message>
        <source>Expected profit</source>
        <translation>Erwarteter Ertrag</translation>
    </message>
    <message>
        <source>What a row of the leaf earns on average by its probabilities</source>
        <translation>Was eine Zeile des Blattes nach seinen Wahrscheinlichkeiten im Mittel bringt</translation>
    </message>
    <message>
        <source>Whether acting on a row of the leaf earns more than not acting</source>
        <translation>Ob es mehr bringt, bei einer Zeile des Blattes zu handeln, als nicht zu handeln</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>He&amp;re</source>
        <translation>Hie&amp;r</translation>
    </message>
    <message>
        <source>Err&amp;ors</source>
        <translation>&amp;Fehler</translation>
    </message>
    <message>
        <source>Rows of the table</source>
        <translation>Zeilen der Tabelle</translation>
    </message>
    <message>
        <source>Copies the rows that are selected, or all that are listed</source>
        <translation>Kopiert die ausgewählten Zeilen, oder alle aufgeführten</translation>
    </message>
    <message>
        <source>Writes the rows that are listed, with leaf, rule, prediction and probabilities</source>
        <translation>Schreibt die aufgeführten Zeilen, mit Blatt, Regel, Vorhersage und Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Open a table: its rows will stand here, and each can be followed through the tree.</source>
        <translation>Öffnen Sie eine Tabelle: Ihre Zeilen stehen dann hier, und jede lässt sich durch den Baum verfolgen.</translation>
    </message>
    <message>
        <source>Predicting the rows</source>
        <translation>Die Zeilen werden vorhergesagt</translation>
    </message>
    <message>
        <source>Drawing rows</source>
        <translation>Zeilen werden gezogen</translation>
    </message>
    <message>
        <source>All rows of the node</source>
        <translation>Alle Zeilen des Knotens</translation>
    </message>
    <message>
        <source>Errors · {n}</source>
        <translation>Fehler · {n}</translation>
    </message>
    <message>
        <source>{which}: {n} of {of} rows.</source>
        <translation>{which}: {n} von {of} Zeilen.</translation>
    </message>
    <message>
        <source>{n} rows; test rows are not shown. Pick one to follow it through the tree.</source>
        <translation>{n} Zeilen; Testzeilen werden nicht gezeigt. Wählen Sie eine, um ihr durch den Baum zu folgen.</translation>
    </message>
    <message>
        <source>All {n} rows: pick one to follow it through the tree.</source>
        <translation>Alle {n} Zeilen: Wählen Sie eine, um sie durch den Baum zu verfolgen.</translation>
    </message>
    <message>
        <source>{which}: no rows match.</source>
        <translation>{which}: Keine Zeilen passen.</translation>
    </message>
    <message>
        <source>{which}: no rows match; test rows are not searched.</source>
        <translation>{which}: keine Zeilen passen; Testzeilen werden nicht durchsucht.</translation>
    </message>
    <message>
        <source>There is no row “{typed}”: this table has the rows 1 to {last}.</source>
        <translation>Es gibt keine Zeile „{typed}“: Diese Tabelle hat die Zeilen 1 bis {last}.</translation>
    </message>
    <message>
        <source>All ways to “{label}”, joined by OR</source>
        <translation>Alle Wege zu „{label}“, mit OR verbunden</translation>
    </message>
    <message>
        <source>validation rows</source>
        <translation>Validierungszeilen</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Richtig</translation>
    </message>
    <message>
        <source>right in training</source>
        <translation>richtig im Training</translation>
    </message>
    <message>
        <source>Share of the training rows whose class is the one that the leaf predicts</source>
        <translation>Anteil der Trainingszeilen, deren Klasse die vom Blatt vorhergesagte ist</translation>
    </message>
    <message>
        <source>right in validation</source>
        <translation>richtig in der Validierung</translation>
    </message>
    <message>
        <source>Share of the validation rows whose class is the one that the leaf predicts</source>
        <translation>Anteil der Validierungszeilen, deren Klasse die vom Blatt vorhergesagte ist</translation>
    </message>
    <message>
        <source>error in training</source>
        <translation>Fehler im Training</translation>
    </message>
    <message>
        <source>Mean error of the leaf’s prediction on the training rows: squared for a mean</source>
        <translation>Mittlerer Fehler der Vorhersage des Blattes auf den Trainingszeilen: quadriert bei einem Mittelwert</translation>
    </message>
    <message>
        <source>error in validation</source>
        <translation>Fehler in der Validierung</translation>
    </message>
    <message>
        <source>Mean error of the leaf’s prediction on the validation rows: squared for a mean</source>
        <translation>Mittlerer Fehler der Vorhersage des Blattes auf den Validierungszeilen: quadriert bei einem Mittelwert</translation>
    </message>
    <message>
        <source>What leads to the class: one way for each leaf, those of most training rows first</source>
        <translation>Was zur Klasse führt: ein Weg für jedes Blatt, die mit den meisten Trainingszeilen zuerst</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Training rows that go this way</source>
        <translation>Trainingszeilen, die diesen Weg gehen</translation>
    </message>
    <message>
        <source>Validation rows that go this way</source>
        <translation>Validierungszeilen, die diesen Weg gehen</translation>
    </message>
    <message>
        <source>Predict {value} when {rule}</source>
        <translation>{value} vorhersagen, wenn {rule}</translation>
    </message>
    <message>
        <source>… ({leaves} more)</source>
        <translation>… ({leaves} weitere)</translation>
    </message>
    <message>
        <source>Rules of the tree, by class</source>
        <translation>Regeln des Baumes, nach Klasse</translation>
    </message>
    <message>
        <source>Filter rules</source>
        <translation>Regeln filtern</translation>
    </message>
    <message>
        <source>Finds rules by their words as they stand here or, split by split, on the canvas; signs may be typed as &lt;=, &gt;=, !=. The name of a class finds all of its rules</source>
        <translation>Findet Regeln nach ihrem Wortlaut, wie er hier oder Teilung für Teilung auf der Zeichenfläche steht; Zeichen können als &lt;=, &gt;=, != getippt werden. Der Name einer Klasse findet alle ihre Regeln</translation>
    </message>
    <message>
        <source>Copies the rules that are selected, of a heading those of its class; all rules where none is selected</source>
        <translation>Kopiert die ausgewählten Regeln, bei einer Überschrift die ihrer Klasse; alle Regeln, wenn keine ausgewählt ist</translation>
    </message>
    <message>
        <source>Open a table: its tree will stand here as rules in words.</source>
        <translation>Öffnen Sie eine Tabelle: Ihr Baum steht dann hier als Regeln in Worten.</translation>
    </message>
    <message>
        <source>{leaves} with the fewest training rows are not listed.</source>
        <translation>{leaves} mit den wenigsten Trainingszeilen sind nicht aufgeführt.</translation>
    </message>
    <message>
        <source>Writing the rules</source>
        <translation>Die Regeln werden geschrieben</translation>
    </message>
    <message>
        <source>No rule contains “{text}”.</source>
        <translation>Keine Regel enthält „{text}“.</translation>
    </message>
    <message>
        <source>There is no part “{part}”; choose one of {parts}.</source>
        <translation>Es gibt keinen Teil „{part}“; möglich sind {parts}.</translation>
    </message>
    <message>
        <source>Trees that predict different things cannot be compared: “{one}” and “{other}”.</source>
        <translation>Bäume, die Verschiedenes vorhersagen, lassen sich nicht vergleichen: „{one}“ und „{other}“.</translation>
    </message>
    <message>
        <source>There is no criterion “{name}”; choose one of {usable}.</source>
        <translation>Es gibt kein Kriterium „{name}“; möglich sind {usable}.</translation>
    </message>
    <message>
        <source>The criterion “{name}” is not defined for a numeric target; choose one of {usable}.</source>
        <translation>Das Kriterium „{name}“ ist für eine numerische Zielspalte nicht definiert; möglich sind {usable}.</translation>
    </message>
    <message>
        <source>The criterion “{name}” is not defined for a class target; choose one of {usable}.</source>
        <translation>Das Kriterium „{name}“ ist für eine Zielspalte mit Klassen nicht definiert; möglich sind {usable}.</translation>
    </message>
    <message>
        <source>{name} needs the values themselves, counts do not tell it: call search.absolute.impurity(y).</source>
        <translation>{name} braucht die Werte selbst, Zahlen sagen es nicht: Rufen Sie search.absolute.impurity(y) auf.</translation>
    </message>
    <message>
        <source>Absolute error</source>
        <translation>Absoluter Fehler</translation>
    </message>
    <message>
        <source>Σ |y − median| ÷ n</source>
        <translation>Σ |y − Median| ÷ n</translation>
    </message>
    <message>
        <source>The mean distance from the median; one wild value cannot pull a split, and leaves predict the median.</source>
        <translation>Der mittlere Abstand vom Median; ein einzelner wilder Wert kann eine Teilung nicht an sich ziehen, und Blätter sagen den Median vorher.</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>Absolut</translation>
    </message>
    <message>
        <source>Gini of the binned target</source>
        <translation>Gini der Zielspalte in Intervallen</translation>
    </message>
    <message>
        <source>1 − Σ pₖ², pₖ the share of bin k</source>
        <translation>1 − Σ pₖ², pₖ der Anteil des Intervalls k</translation>
    </message>
    <message>
        <source>How often two rows drawn from the node fall into different bins of the target; leaves show the histogram.</source>
        <translation>Wie oft zwei aus dem Knoten gezogene Zeilen in verschiedene Intervalle der Zielspalte fallen; Blätter zeigen das Histogramm.</translation>
    </message>
    <message>
        <source>1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.444 − ¼·0 = 0.1667.</source>
        <translation>1, 2, 3 | 10 in zwei Intervallen zu zwei: 0.5 − ¾·0.444 − ¼·0 = 0.1667.</translation>
    </message>
    <message>
        <source>Binned Gini</source>
        <translation>Gini in Intervallen</translation>
    </message>
    <message>
        <source>i = 1 − Σ pₖ², pₖ the share of bin k</source>
        <translation>i = 1 − Σ pₖ², pₖ der Anteil des Intervalls k</translation>
    </message>
    <message>
        <source>Error of the binned target</source>
        <translation>Fehler der Zielspalte in Intervallen</translation>
    </message>
    <message>
        <source>1 − max pₖ, pₖ the share of bin k</source>
        <translation>1 − max pₖ, pₖ der Anteil des Intervalls k</translation>
    </message>
    <message>
        <source>The share of rows outside the node&apos;s fullest bin; ties are broken by the binned Gini.</source>
        <translation>Der Anteil der Zeilen außerhalb des vollsten Intervalls des Knotens; bei Gleichstand entscheidet Gini in Intervallen.</translation>
    </message>
    <message>
        <source>1, 2, 3 | 10 in two bins of two: 0.5 − ¾·0.333 − ¼·0 = 0.25.</source>
        <translation>1, 2, 3 | 10 in zwei Intervallen zu zwei: 0.5 − ¾·0.333 − ¼·0 = 0.25.</translation>
    </message>
    <message>
        <source>Binned error</source>
        <translation>Fehler in Intervallen</translation>
    </message>
    <message>
        <source>i = 1 − max pₖ, pₖ the share of bin k</source>
        <translation>i = 1 − max pₖ, pₖ der Anteil des Intervalls k</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>Entropie</translation>
    </message>
    <message>
        <source>−Σ pₖ log₂ pₖ</source>
        <translation>−Σ pₖ log₂ pₖ</translation>
    </message>
    <message>
        <source>The bits needed to tell a row&apos;s class; its drop is the information gain of ID3.</source>
        <translation>Die Bits, die nötig sind, um die Klasse einer Zeile zu sagen; ihr Abfall ist der Informationsgewinn von ID3.</translation>
    </message>
    <message>
        <source>0.8 → 0.6 / 1.0: 0.722 − ½·0.971 − ½·0 = 0.2365 bits.</source>
        <translation>0.8 → 0.6 / 1.0: 0.722 − ½·0.971 − ½·0 = 0.2365 Bits.</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>1 − max pₖ</source>
        <translation>1 − max pₖ</translation>
    </message>
    <message>
        <source>The share of rows that the majority label gets wrong; blind to splits that do not change a label.</source>
        <translation>Der Anteil der Zeilen, die die Mehrheit falsch vorhersagt; blind für Teilungen, die keine Vorhersage ändern.</translation>
    </message>
    <message>
        <source>0.8 → 0.6 / 1.0: 0.2 − ½·0.4 − ½·0 = 0: it sees no progress.</source>
        <translation>0.8 → 0.6 / 1.0: 0.2 − ½·0.4 − ½·0 = 0: es sieht keinen Fortschritt.</translation>
    </message>
    <message>
        <source>Gain ratio</source>
        <translation>Gewinnverhältnis</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>information gain ÷ entropy of the branch sizes</source>
        <translation>Informationsgewinn ÷ Entropie der Zweiggrößen</translation>
    </message>
    <message>
        <source>ratio = information gain ÷ entropy of the branch sizes</source>
        <translation>Verhältnis = Informationsgewinn ÷ Entropie der Zweiggrößen</translation>
    </message>
    <message>
        <source>Information gain without the favour for splits into many branches (C4.5), among columns of at least average gain.</source>
        <translation>Informationsgewinn ohne Bevorzugung von Teilungen in viele Zweige (C4.5), unter Spalten mit mindestens durchschnittlichem Gewinn.</translation>
    </message>
    <message>
        <source>0.8 → 0.6 / 1.0, two halves: 0.2365 ÷ 1 bit; ten single rows would be divided by 3.32 bits.</source>
        <translation>0.8 → 0.6 / 1.0, zwei Hälften: 0.2365 ÷ 1 Bit; zehn einzelne Zeilen würden durch 3.32 Bits geteilt.</translation>
    </message>
    <message>
        <source>Gini</source>
        <translation>Gini</translation>
    </message>
    <message>
        <source>How often two rows drawn from the node differ in class; strictly concave, quick, the usual choice.</source>
        <translation>Wie oft zwei aus dem Knoten gezogene Zeilen verschiedene Klassen haben; streng konkav, schnell, die übliche Wahl.</translation>
    </message>
    <message>
        <source>Kearns–Mansour √</source>
        <translation>Kearns–Mansour √</translation>
    </message>
    <message>
        <source>The criterion with the best guarantee for top-down growing; it rewards nearly pure branches most.</source>
        <translation>Das Kriterium mit der besten Garantie für das Wachsen von oben; es belohnt fast reine Zweige am meisten.</translation>
    </message>
    <message>
        <source>K–M √</source>
        <translation>K–M √</translation>
    </message>
    <message>
        <source>Squared error</source>
        <translation>Quadratischer Fehler</translation>
    </message>
    <message>
        <source>Σ (y − mean)² ÷ n</source>
        <translation>Σ (y − Mittelwert)² ÷ n</translation>
    </message>
    <message>
        <source>The variance of the target in the node; leaves predict the mean.</source>
        <translation>Die Varianz der Zielspalte im Knoten; Blätter sagen den Mittelwert vorher.</translation>
    </message>
    <message>
        <source>Squared</source>
        <translation>Quadratisch</translation>
    </message>
    <message>
        <source>Text as J48 prints it</source>
        <translation>Text, wie J48 ihn ausdruckt</translation>
    </message>
    <message>
        <source>Text as rpart prints it</source>
        <translation>Text, wie rpart ihn ausdruckt</translation>
    </message>
    <message>
        <source>SQL query</source>
        <translation>SQL-Abfrage</translation>
    </message>
    <message>
        <source>Python module</source>
        <translation>Python-Modul</translation>
    </message>
    <message>
        <source>Python module for pandas</source>
        <translation>Python-Modul für pandas</translation>
    </message>
    <message>
        <source>JavaScript</source>
        <translation>JavaScript</translation>
    </message>
    <message>
        <source>C99</source>
        <translation>C99</translation>
    </message>
    <message>
        <source>R</source>
        <translation>R</translation>
    </message>
    <message>
        <source>SAS data step</source>
        <translation>SAS-Datenschritt</translation>
    </message>
    <message>
        <source>Excel workbook with formulas</source>
        <translation>Excel-Arbeitsmappe mit Formeln</translation>
    </message>
    <message>
        <source>ONNX model</source>
        <translation>ONNX-Modell</translation>
    </message>
    <message>
        <source>Graph for Graphviz (DOT)</source>
        <translation>Graph für Graphviz (DOT)</translation>
    </message>
    <message>
        <source>Flowchart for Mermaid</source>
        <translation>Flussdiagramm für Mermaid</translation>
    </message>
    <message>
        <source>Rules as Markdown</source>
        <translation>Regeln als Markdown</translation>
    </message>
    <message>
        <source>Rules as CSV</source>
        <translation>Regeln als CSV</translation>
    </message>
    <message>
        <source>Rules as JSON</source>
        <translation>Regeln als JSON</translation>
    </message>
    <message>
        <source>PMML document</source>
        <translation>PMML-Dokument</translation>
    </message>
    <message>
        <source>scikit-learn pipeline (skops)</source>
        <translation>scikit-learn-Pipeline (skops)</translation>
    </message>
    <message>
        <source>SVG drawing</source>
        <translation>SVG-Zeichnung</translation>
    </message>
    <message>
        <source>Page for browsers</source>
        <translation>Seite für Browser</translation>
    </message>
    <message>
        <source>“{path}” is a model of {program}, but no tree can be taken from it: {why}.</source>
        <translation>„{path}“ ist ein Modell von {program}, aber daraus lässt sich kein Baum übernehmen: {why}.</translation>
    </message>
    <message>
        <source>“{name}” cannot be exported: “{suffix}” is none of {known}.</source>
        <translation>„{name}“ lässt sich nicht exportieren: „{suffix}“ ist keine von {known}.</translation>
    </message>
    <message>
        <source>There is no format “{format}”; choose one of {known}.</source>
        <translation>Es gibt kein Format „{format}“; möglich sind {known}.</translation>
    </message>
    <message>
        <source>{format} has no option “{name}”.</source>
        <translation>{format} hat keine Option „{name}“.</translation>
    </message>
    <message>
        <source>{format} has no option “{name}”; it has {known}.</source>
        <translation>{format} hat keine Option „{name}“; möglich sind {known}.</translation>
    </message>
    <message>
        <source>“{path}” is no tree file that can be read: give Espalier’s, XGBoost’s or treelite’s JSON, XGBoost’s UBJSON, LightGBM’s model text, ONNX, PMML or what J48 or rpart prints.</source>
        <translation>„{path}“ ist keine Baumdatei, die gelesen werden kann: Geben Sie JSON von Espalier, XGBoost oder treelite, UBJSON von XGBoost, LightGBMs Modelltext, ONNX, PMML oder was J48 oder rpart druckt.</translation>
    </message>
    <message>
        <source>“{path}” is a tree of Espalier, which names its target, features and classes itself: leave these out.</source>
        <translation>„{path}“ ist ein Baum von Espalier, der Zielspalte, Merkmale und Klassen selbst nennt: Lassen Sie diese weg.</translation>
    </message>
    <message>
        <source>A file of pickle, joblib or skops can carry code, so it is not opened: give the fitted estimator to engine.from_sklearn in Python.</source>
        <translation>Eine Datei von pickle, joblib oder skops kann Code enthalten, darum wird sie nicht geöffnet: Geben Sie in Python den angepassten Schätzer an engine.from_sklearn.</translation>
    </message>
    <message>
        <source>The text</source>
        <translation>Der Text</translation>
    </message>
    <message>
        <source>The tree holds figures beyond 1e308, which JSON cannot hold: divide the target or the weights by a power of ten.</source>
        <translation>Der Baum enthält Zahlen jenseits von 1e308, die JSON nicht fassen kann: Dividieren Sie die Zielspalte oder die Gewichte durch eine Zehnerpotenz.</translation>
    </message>
    <message>
        <source>“{name}” is no Espalier tree that can be read: {why}.</source>
        <translation>„{name}“ ist kein lesbarer Espalier-Baum: {why}.</translation>
    </message>
    <message>
        <source>its next id, {next_id}, is beyond all ids</source>
        <translation>seine nächste Nummer, {next_id}, liegt jenseits aller Nummern</translation>
    </message>
    <message>
        <source>it has bin_edges, but predicts classes</source>
        <translation>er hat bin_edges, sagt aber Klassen vorher</translation>
    </message>
    <message>
        <source>its bin_edges do not ascend</source>
        <translation>seine bin_edges steigen nicht an</translation>
    </message>
    <message>
        <source>“{what}” holds a number that is not finite</source>
        <translation>„{what}“ enthält eine Zahl, die nicht endlich ist</translation>
    </message>
    <message>
        <source>at {place}, {message}</source>
        <translation>in {place}, {message}</translation>
    </message>
    <message>
        <source>it names the column “{name}” twice</source>
        <translation>er nennt die Spalte „{name}“ zweimal</translation>
    </message>
    <message>
        <source>it names the class “{name}” twice</source>
        <translation>er nennt die Klasse „{name}“ zweimal</translation>
    </message>
    <message>
        <source>the figures of a leaf are not {n} finite numbers</source>
        <translation>die Werte eines Blattes sind nicht {n} endliche Zahlen</translation>
    </message>
    <message>
        <source>a leaf has {n} rows</source>
        <translation>ein Blatt hat {n} Zeilen</translation>
    </message>
    <message>
        <source>it predicts “{target}” from the column itself</source>
        <translation>er sagt „{target}“ aus der Spalte selbst vorher</translation>
    </message>
    <message>
        <source>it names no classes</source>
        <translation>das Modell nennt keine Klassen</translation>
    </message>
    <message>
        <source>it names node {node}, which is not there</source>
        <translation>das Modell nennt Knoten {node}, den es nicht gibt</translation>
    </message>
    <message>
        <source>its nodes do not make one tree: two branches lead to node {node}</source>
        <translation>seine Knoten ergeben nicht einen Baum: Zwei Zweige führen zu Knoten {node}</translation>
    </message>
    <message>
        <source>node {node} has not the branches that its split makes</source>
        <translation>Knoten {node} hat nicht die Zweige, die seine Teilung macht</translation>
    </message>
    <message>
        <source>it holds no tree</source>
        <translation>das Modell enthält keinen Baum</translation>
    </message>
    <message>
        <source>it holds {n} trees: choose one of them, 0 to {last}</source>
        <translation>das Modell enthält {n} Bäume: Wählen Sie einen davon, 0 bis {last}</translation>
    </message>
    <message>
        <source>it has no tree {tree}: choose one from 0 to {last}</source>
        <translation>das Modell hat keinen Baum {tree}: Wählen Sie einen von 0 bis {last}</translation>
    </message>
    <message>
        <source>it has {n} classes, and {given} names are given</source>
        <translation>das Modell hat {n} Klassen, und {given} Namen sind angegeben</translation>
    </message>
    <message>
        <source>it has {n} features, and {given} names are given</source>
        <translation>das Modell hat {n} Merkmale, und {given} Namen sind angegeben</translation>
    </message>
    <message>
        <source>it asks feature {place} of {n}</source>
        <translation>das Modell fragt nach Merkmal {place} von {n}</translation>
    </message>
    <message>
        <source>“{first}” has {n} entries and “{name}” has {size}</source>
        <translation>„{first}“ hat {n} Einträge, und „{name}“ hat {size}</translation>
    </message>
    <message>
        <source>a threshold of “{column}” is no number</source>
        <translation>eine Schwelle von „{column}“ ist keine Zahl</translation>
    </message>
    <message>
        <source>The file does not name features of {table}: “{first}” is taken for “{feature}”, and so on in order.</source>
        <translation>Die Datei nennt keine Merkmale von {table}: „{first}“ gilt als „{feature}“, und so weiter der Reihe nach.</translation>
    </message>
    <message>
        <source>it has a node with the id {node}</source>
        <translation>er hat einen Knoten mit der Nummer {node}</translation>
    </message>
    <message>
        <source>it has two nodes {node}</source>
        <translation>er hat zwei Knoten {node}</translation>
    </message>
    <message>
        <source>node {node} has no parent</source>
        <translation>Knoten {node} hat keinen Elternknoten</translation>
    </message>
    <message>
        <source>its root, node 0, has a parent</source>
        <translation>seine Wurzel, Knoten 0, hat einen Elternknoten</translation>
    </message>
    <message>
        <source>node {node} hangs below node {parent}, which is not there</source>
        <translation>Knoten {node} hängt unter Knoten {parent}, den es nicht gibt</translation>
    </message>
    <message>
        <source>node {node} has the branch {branch} of node {parent}, which is taken or no number</source>
        <translation>Knoten {node} hat den Zweig {branch} von Knoten {parent}, der vergeben oder keine Zahl ist</translation>
    </message>
    <message>
        <source>it has no root, node 0</source>
        <translation>er hat keine Wurzel, Knoten 0</translation>
    </message>
    <message>
        <source>node {lost} cannot be reached from the root: its parents go in a circle</source>
        <translation>Knoten {lost} ist von der Wurzel nicht erreichbar: Seine Elternknoten bilden einen Kreis</translation>
    </message>
    <message>
        <source>the split of node {node} cannot be read</source>
        <translation>die Teilung von Knoten {node} lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>node {node} has {found} of the {made} branches that its split makes</source>
        <translation>Knoten {node} hat {found} der {made} Zweige, die seine Teilung macht</translation>
    </message>
    <message>
        <source>in node {node}, {why}</source>
        <translation>in Knoten {node}, {why}</translation>
    </message>
    <message>
        <source>the split names the column “{name}”, which the tree does not list</source>
        <translation>die Teilung nennt die Spalte „{name}“, die der Baum nicht aufführt</translation>
    </message>
    <message>
        <source>a split by {how} does not fit the {kind} column “{name}”</source>
        <translation>eine Teilung nach {how} passt nicht zur Spalte „{name}“ der Art {kind}</translation>
    </message>
    <message>
        <source>a split by the order of numbers does not fit the {kind} column “{name}”</source>
        <translation>eine Teilung nach der Ordnung von Zahlen passt nicht zur Spalte „{name}“ der Art {kind}</translation>
    </message>
    <message>
        <source>a split by levels does not fit the {kind} column “{name}”</source>
        <translation>eine Teilung nach Ausprägungen passt nicht zur Spalte „{name}“ der Art {kind}</translation>
    </message>
    <message>
        <source>its leaf rule cannot be used: {why}</source>
        <translation>seine Regel der Blätter ist nicht verwendbar: {why}</translation>
    </message>
    <message>
        <source>its leaves predict medians, but node {node} has none</source>
        <translation>seine Blätter sagen Mediane vorher, aber Knoten {node} hat keinen</translation>
    </message>
    <message>
        <source>the mark of node {node} cannot be read</source>
        <translation>die Markierung von Knoten {node} lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>the mark of node {node} cannot be used: {why}</source>
        <translation>die Markierung von Knoten {node} ist nicht verwendbar: {why}</translation>
    </message>
    <message>
        <source>“{key}” of node {node} is no list of {width} finite numbers</source>
        <translation>„{key}“ von Knoten {node} ist keine Liste von {width} endlichen Zahlen</translation>
    </message>
    <message>
        <source>“{key}” of node {node} is no number of rows</source>
        <translation>„{key}“ von Knoten {node} ist keine Zeilenzahl</translation>
    </message>
    <message>
        <source>“{table}” was made in memory, so a project could not find it again: write it to a file and open that.</source>
        <translation>„{table}“ wurde im Speicher gemacht, also könnte ein Projekt sie nicht wiederfinden: Schreiben Sie sie in eine Datei, und öffnen Sie diese.</translation>
    </message>
    <message>
        <source>“{key}” of the project holds a number that is not finite: JSON cannot hold it.</source>
        <translation>„{key}“ des Projekts enthält eine Zahl, die nicht endlich ist: JSON kann sie nicht fassen.</translation>
    </message>
    <message>
        <source>project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>“{path}” is a damaged project: “{key}” is missing or not what it should be.</source>
        <translation>„{path}“ ist ein beschädigtes Projekt: „{key}“ fehlt oder ist nicht, was es sein sollte.</translation>
    </message>
    <message>
        <source>“{name}” is a damaged project: of its tree, {why}.</source>
        <translation>„{name}“ ist ein beschädigtes Projekt: von seinem Baum, {why}.</translation>
    </message>
    <message>
        <source>“{path}” is a damaged project: its tree predicts “{target}”, its table is to predict “{wanted}”.</source>
        <translation>„{path}“ ist ein beschädigtes Projekt: Sein Baum sagt „{target}“ vorher, seine Tabelle soll „{wanted}“ vorhersagen.</translation>
    </message>
    <message>
        <source>“{project}” is a damaged project: the path of its data is no text.</source>
        <translation>„{project}“ ist ein beschädigtes Projekt: Der Pfad seiner Daten ist kein Text.</translation>
    </message>
    <message>
        <source>The data of “{project}” is not at “{place}”: choose where it is now.</source>
        <translation>Die Daten von „{project}“ sind nicht unter „{place}“: Wählen Sie, wo sie jetzt sind.</translation>
    </message>
    <message>
        <source>“{file}” has changed since the project was saved: the tree was counted again.</source>
        <translation>„{file}“ hat sich geändert, seit das Projekt gespeichert wurde: Der Baum wurde neu gezählt.</translation>
    </message>
    <message>
        <source>The project is damaged: the address of its data is no text.</source>
        <translation>Das Projekt ist beschädigt: Die Adresse seiner Daten ist kein Text.</translation>
    </message>
    <message>
        <source>The table of “{project}” is in the database {address}. Connect to that server only if you trust the project.</source>
        <translation>Die Tabelle von „{project}“ ist in der Datenbank {address}. Verbinden Sie sich mit diesem Server nur, wenn Sie dem Projekt vertrauen.</translation>
    </message>
    <message>
        <source>Column “{name}” is no longer in {table}.</source>
        <translation>Die Spalte „{name}“ ist nicht mehr in {table}.</translation>
    </message>
    <message>
        <source>Test rows are chosen in another way than when the project was saved, so some are others.</source>
        <translation>Testzeilen werden anders bestimmt als zu der Zeit, als das Projekt gespeichert wurde; einige sind darum andere.</translation>
    </message>
    <message>
        <source>The partition could not be made again ({why}): all rows train.</source>
        <translation>Die Aufteilung ließ sich nicht wiederherstellen ({why}): Alle Zeilen trainieren.</translation>
    </message>
    <message>
        <source>“{level}” of “{name}” had no place in the order of its levels: it stands last.</source>
        <translation>„{level}“ von „{name}“ hatte keinen Platz in der Ordnung der Ausprägungen: Sie steht zuletzt.</translation>
    </message>
    <message>
        <source>{table} holds other rows than when the project was saved: the tree was counted again.</source>
        <translation>{table} enthält andere Zeilen als beim Speichern des Projekts: Der Baum wurde neu gezählt.</translation>
    </message>
    <message>
        <source>Cost complexity</source>
        <translation>Kostenkomplexität</translation>
    </message>
    <message>
        <source>Cuts the split that pays least per leaf on the training rows, again and again; validation rows, or cross-validation without them, choose where to stop.</source>
        <translation>Nimmt immer wieder die Teilung weg, die sich auf den Trainingszeilen je Blatt am wenigsten lohnt; Validierungszeilen, oder ohne sie die Kreuzvalidierung, wählen, wo aufgehört wird.</translation>
    </message>
    <message>
        <source>Reduced error</source>
        <translation>Reduzierter Fehler</translation>
    </message>
    <message>
        <source>Cuts every branch that does not lower the error on the validation rows: the smallest of the most accurate prunings.</source>
        <translation>Schneidet jeden Zweig, der den Fehler auf den Validierungszeilen nicht senkt: der kleinste der genauesten gestutzten Bäume.</translation>
    </message>
    <message>
        <source>Pessimistic</source>
        <translation>Pessimistisch</translation>
    </message>
    <message>
        <source>Cuts what is not expected to err less, judged by the training rows alone, as C4.5 does: errors that were seen are raised to the limit that they might stand for. Branches may take the place of the split above them.</source>
        <translation>Schneidet, was nicht weniger Fehler erwarten lässt, beurteilt allein nach den Trainingszeilen, wie C4.5: Gesehene Fehler werden auf die Grenze angehoben, für die sie stehen könnten. Zweige können den Platz der Teilung über ihnen einnehmen.</translation>
    </message>
    <message>
        <source>It expects errors of a leaf from those among its training rows, so it needs a target of classes.</source>
        <translation>Es erwartet die Fehler eines Blattes aus denen unter seinen Trainingszeilen; daher braucht es eine Zielspalte mit Klassen.</translation>
    </message>
    <message>
        <source>Generic</source>
        <translation>Generisch</translation>
    </message>
    <message>
        <source>At every node, bottom up, the best by a chosen estimate: a leaf of any class, one of the branches in its place with all rows, or the tree as it is.</source>
        <translation>An jedem Knoten, von unten nach oben, das Beste nach einem gewählten Schätzwert: ein Blatt irgendeiner Klasse, einer der Zweige an seiner Stelle mit allen Zeilen, oder der Baum, wie er ist.</translation>
    </message>
    <message>
        <source>Its estimates are of errors, shares of the rows, so it needs a target of classes.</source>
        <translation>Seine Schätzwerte gelten Fehlern, also Anteilen der Zeilen; daher braucht es eine Zielspalte mit Klassen.</translation>
    </message>
    <message>
        <source>Description length</source>
        <translation>Beschreibungslänge</translation>
    </message>
    <message>
        <source>The tree that is shortest to describe together with the classes of the rows that it leaves to be told; or the one with the least bound on its error by its length. No rows are set aside for it.</source>
        <translation>Der Baum, der zusammen mit den Klassen der Zeilen, die er offen lässt, am kürzesten zu beschreiben ist; oder der mit der kleinsten Schranke seines Fehlers nach seiner Länge. Dafür werden keine Zeilen zurückgelegt.</translation>
    </message>
    <message>
        <source>Classes are described in whole symbols, numbers in as many digits as one likes; for a numeric target prune by cost complexity or by validation rows.</source>
        <translation>Klassen werden in ganzen Symbolen beschrieben, Zahlen mit beliebig vielen Stellen: Stutzen Sie bei einer numerischen Zielspalte nach Kostenkomplexität oder nach Validierungszeilen.</translation>
    </message>
    <message>
        <source>Structural risk</source>
        <translation>Strukturelles Risiko</translation>
    </message>
    <message>
        <source>The tree with the fewest errors for every number of leaves; the error and √(size ÷ m), or rows that took no part in growing, choose among them.</source>
        <translation>Der Baum mit den wenigsten Fehlern für jede Anzahl von Blättern; der Fehler und √(Größe ÷ m), oder Zeilen, die am Wachsen nicht beteiligt waren, wählen unter ihnen.</translation>
    </message>
    <message>
        <source>Its penalty √(size ÷ m) is for errors, shares between 0 and 1, which a numeric target has not; prune by cost complexity, which looks at the same trees.</source>
        <translation>Sein Strafterm √(Größe ÷ m) gilt für Fehler, für Anteile zwischen 0 und 1, die eine numerische Zielspalte nicht hat; stutzen Sie nach Kostenkomplexität, die dieselben Bäume ansieht.</translation>
    </message>
    <message>
        <source>Kearns and Mansour</source>
        <translation>Kearns und Mansour</translation>
    </message>
    <message>
        <source>One pass from the leaves up: a split goes unless it saves more errors than a class of trees so rich would by chance. No rows are set aside for it.</source>
        <translation>Ein Durchgang von den Blättern nach oben: Eine Teilung entfällt, wenn sie nicht mehr Fehler erspart, als eine so reiche Klasse von Bäumen durch Zufall ersparen würde. Dafür werden keine Zeilen zurückgelegt.</translation>
    </message>
    <message>
        <source>Its penalty is measured against errors, shares between 0 and 1, which a numeric target has not; prune by cost complexity or by validation rows.</source>
        <translation>Sein Strafterm wird an Fehlern gemessen, an Anteilen zwischen 0 und 1, die eine numerische Zielspalte nicht hat; stutzen Sie nach Kostenkomplexität oder nach Validierungszeilen.</translation>
    </message>
    <message>
        <source>Greedy cuts</source>
        <translation>Gierige Schnitte</translation>
    </message>
    <message>
        <source>Cuts the node whose cut helps the validation rows most, again and again, until any cut would do harm; a cut high up may forestall two better ones below it.</source>
        <translation>Stutzt den Knoten, dessen Schnitt den Validierungszeilen am meisten hilft, immer wieder, bis jeder Schnitt schaden würde; ein Schnitt weit oben kann zwei bessere darunter verhindern.</translation>
    </message>
    <message>
        <source>Growth in steps</source>
        <translation>Wachsen in Schritten</translation>
    </message>
    <message>
        <source>Takes the splits back in the order in which best-first growth makes them, one at a time: the tree of every size along the way. Validation rows choose where to stop.</source>
        <translation>Nimmt die Teilungen in der Reihenfolge zurück, in der das Wachsen mit dem besten zuerst sie macht, eine nach der anderen: der Baum jeder Größe auf diesem Weg. Validierungszeilen wählen, wo aufgehört wird.</translation>
    </message>
    <message>
        <source>By rule</source>
        <translation>Nach Regel</translation>
    </message>
    <message>
        <source>Cuts what the chosen rules forbid: small leaves, splits that do not help the validation rows or that chance explains, leaves that predict the same.</source>
        <translation>Schneidet, was die gewählten Regeln verbieten: kleine Blätter, Teilungen, die den Validierungszeilen nicht helfen oder die der Zufall erklärt, Blätter, die dasselbe vorhersagen.</translation>
    </message>
    <message>
        <source>No rule was given, so nothing was cut.</source>
        <translation>Keine Regel war angegeben, also wurde nichts geschnitten.</translation>
    </message>
    <message>
        <source>The tests were stopped: splits that were not tested yet stay.</source>
        <translation>Die Tests wurden angehalten: Noch nicht getestete Teilungen bleiben.</translation>
    </message>
    <message>
        <source>The smallest branch has {rows} training rows; at least {least} are asked for.</source>
        <translation>Der kleinste Zweig hat {rows} Trainingszeilen; verlangt sind mindestens {least}.</translation>
    </message>
    <message>
        <source>{loss} among the validation rows</source>
        <translation>{loss} bei den Validierungszeilen</translation>
    </message>
    <message>
        <source>{quantity} {price} for each split</source>
        <translation>{quantity}: {price} für jede Teilung</translation>
    </message>
    <message>
        <source>Not tested: a split above it is not significant.</source>
        <translation>Nicht geprüft: Eine Teilung darüber ist nicht signifikant.</translation>
    </message>
    <message>
        <source>The p-value adjusted for the search of its column, {p}, times the number of columns, {n}, is {product}; at most {most} is asked for.</source>
        <translation>Der für die Suche in der Spalte angepasste p-Wert, {p}, mal die Zahl der Spalten, {n}, ist {product}; verlangt ist höchstens {most}.</translation>
    </message>
    <message>
        <source>The p-value adjusted for the search of its column is {p}; at most {most} is asked for.</source>
        <translation>Der für die Suche in der Spalte angepasste p-Wert ist {p}; verlangt ist höchstens {most}.</translation>
    </message>
    <message>
        <source>All its leaves predict {label}, as it does itself.</source>
        <translation>Alle seine Blätter sagen {label} vorher, wie er selbst.</translation>
    </message>
    <message>
        <source>Testing splits</source>
        <translation>Teilungen werden getestet</translation>
    </message>
    <message>
        <source>Training {mean} + {price} per leaf</source>
        <translation>{mean} im Training + {price} je Blatt</translation>
    </message>
    <message>
        <source>Mean impurity + {price} per leaf</source>
        <translation>Mittlere Unreinheit + {price} je Blatt</translation>
    </message>
    <message>
        <source>Cross-validation grew trees by the search options on each fold; the hand-made splits themselves were not cross-validated.</source>
        <translation>Die Kreuzvalidierung ließ auf jedem Teil Bäume nach den Suchoptionen wachsen; die handgemachten Teilungen selbst wurden nicht kreuzvalidiert.</translation>
    </message>
    <message>
        <source>Cross-validation grew trees by the search options on each fold; pins, locks and what else is written on single nodes took no part in it.</source>
        <translation>Die Kreuzvalidierung ließ auf jedem Teil Bäume nach den Suchoptionen wachsen; Anheftungen, Sperren und was sonst an einzelnen Knoten steht, wirkten dabei nicht mit.</translation>
    </message>
    <message>
        <source>Cross-validation was stopped; the folds that were finished chose.</source>
        <translation>Die Kreuzvalidierung wurde angehalten; die fertigen Teile haben gewählt.</translation>
    </message>
    <message>
        <source>Cross-validation was stopped before a fold was finished, so the whole tree is recommended.</source>
        <translation>Die Kreuzvalidierung wurde angehalten, bevor ein Teil fertig war; empfohlen wird daher der ganze Baum.</translation>
    </message>
    <message>
        <source>No fold has rows that count, so nothing was cross-validated and the whole tree is recommended.</source>
        <translation>Kein Teil hat Zeilen, die zählen; daher wurde nichts kreuzvalidiert, und empfohlen wird der ganze Baum.</translation>
    </message>
    <message>
        <source>Fold {n} of {all}</source>
        <translation>Teil {n} von {all}</translation>
    </message>
    <message>
        <source>Nothing says when to stop: the validation rows have no {figure}, for they count for nothing or are all alike; set other ones aside, or judge by another metric.</source>
        <translation>Nichts sagt, wann aufzuhören ist: Die Validierungszeilen haben kein Maß {figure}, denn sie zählen nicht oder sind alle gleich; legen Sie andere zurück, oder beurteilen Sie nach einem anderen Maß.</translation>
    </message>
    <message>
        <source>Growing ended before {patience} splits in a row had failed: nothing is left to split.</source>
        <translation>Das Wachsen endete, bevor {patience} Teilungen hintereinander nichts gebracht hatten: Nichts ist mehr zu teilen.</translation>
    </message>
    <message>
        <source>Growing ended before {patience} splits in a row had failed: it was stopped.</source>
        <translation>Das Wachsen endete, bevor {patience} Teilungen hintereinander nichts gebracht hatten: Es wurde angehalten.</translation>
    </message>
    <message>
        <source>Growing ended before {patience} splits in a row had failed: at most {leaves} leaves were asked for.</source>
        <translation>Das Wachsen endete, bevor {patience} Teilungen hintereinander nichts gebracht hatten: Verlangt waren höchstens {leaves} Blätter.</translation>
    </message>
    <message>
        <source>Split {made:,} of {all:,} in the order of growth. Validation {mean}: {figure} after it, {least} before the first one, where it is least.</source>
        <translation>Teilung {made:,} von {all:,} in der Reihenfolge des Wachsens. Validierung, {mean}: {figure} danach, {least} vor der ersten, wo er am kleinsten ist.</translation>
    </message>
    <message>
        <source>Split {made:,} of {all:,} in the order of growth. Validation {mean}: {figure} after it, {least} after {best:,}, where it is least.</source>
        <translation>Teilung {made:,} von {all:,} in der Reihenfolge des Wachsens. Validierung, {mean}: {figure} danach, {least} nach {best:,}, wo er am kleinsten ist.</translation>
    </message>
    <message>
        <source>{patience} splits cannot fail in a row; at least 1 has to.</source>
        <translation>{patience} Teilungen können nicht hintereinander nichts bringen; mindestens 1 muss es.</translation>
    </message>
    <message>
        <source>Nothing says when to stop. {remedy}</source>
        <translation>Nichts sagt, wann aufzuhören ist. {remedy}</translation>
    </message>
    <message>
        <source>There is no metric “{metric}” here; choose one of {metrics}.</source>
        <translation>Hier gibt es kein Maß „{metric}“; möglich sind {metrics}.</translation>
    </message>
    <message>
        <source>Bits for the classes of the rows and what describes the tree</source>
        <translation>Bits für die Klassen der Zeilen und für die Beschreibung des Baumes</translation>
    </message>
    <message>
        <source>Training {mean} + {price} per node, what the bound grows by</source>
        <translation>{mean} im Training + {price} je Knoten, worum die Schranke wächst</translation>
    </message>
    <message>
        <source>The trees of “{method}” are not cut out of each other: judge each one by itself.</source>
        <translation>Die Bäume von „{method}“ sind nicht auseinander geschnitten: Beurteilen Sie jeden für sich.</translation>
    </message>
    <message>
        <source>There is no metric “{metric}” for this target; choose one of {names}.</source>
        <translation>Für diese Zielspalte gibt es kein Maß „{metric}“; möglich sind {names}.</translation>
    </message>
    <message>
        <source>Sum of absolute errors</source>
        <translation>Summe der absoluten Fehler</translation>
    </message>
    <message>
        <source>Sum of squared errors</source>
        <translation>Summe der quadratischen Fehler</translation>
    </message>
    <message>
        <source>Sum of costs</source>
        <translation>Summe der Kosten</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Weight of the errors</source>
        <translation>Gewicht der Fehler</translation>
    </message>
    <message>
        <source>It needs validation rows: set some rows aside for validation.</source>
        <translation>Braucht Validierungszeilen: Legen Sie einige Zeilen für die Validierung zurück.</translation>
    </message>
    <message>
        <source>Without validation rows nothing says where growth should have ended, so the whole tree is recommended; set some rows aside, or prune by cost complexity and cross-validation.</source>
        <translation>Ohne Validierungszeilen sagt nichts, wo das Wachsen hätte enden sollen; empfohlen wird daher der ganze Baum. Legen Sie einige Zeilen zurück, oder stutzen Sie nach Kostenkomplexität und Kreuzvalidierung.</translation>
    </message>
    <message>
        <source>A split pays in</source>
        <translation>Eine Teilung lohnt sich in</translation>
    </message>
    <message>
        <source>What a leaf more has to pay in.</source>
        <translation>Worin sich ein Blatt mehr lohnen muss.</translation>
    </message>
    <message>
        <source>The error on the training rows, as rpart has it.</source>
        <translation>Der Fehler auf den Trainingszeilen, wie bei rpart.</translation>
    </message>
    <message>
        <source>Impurity favours columns with many values</source>
        <translation>Die Unreinheit bevorzugt Spalten mit vielen Werten</translation>
    </message>
    <message>
        <source>They offer more splits to choose from, and the training rows chose them. Permuting, and growing without a column, are judged by rows that had no part in it.</source>
        <translation>Sie bieten mehr Teilungen zur Wahl, und die Trainingszeilen haben gewählt. Das Permutieren und das Wachsen ohne eine Spalte werden von Zeilen beurteilt, die daran keinen Anteil hatten.</translation>
    </message>
    <message>
        <source>By how much the splits on the column lower the impurity (Gini, or the squared error) of the training rows; they chose the splits, and columns with many values offer more of them: these seem more important than they are</source>
        <translation>Um wie viel die Teilungen nach der Spalte die Unreinheit (Gini oder den quadratischen Fehler) der Trainingszeilen senken; diese haben die Teilungen gewählt, und Spalten mit vielen Werten bieten mehr davon: Sie erscheinen wichtiger, als sie sind</translation>
    </message>
    <message>
        <source>The same, with the credit of surrogate splits: columns that tell the same as another one are not hidden behind it</source>
        <translation>Dasselbe, mit dem Anteil der Ersatzteilungen: Spalten, die dasselbe sagen wie eine andere, bleiben nicht hinter ihr verborgen</translation>
    </message>
    <message>
        <source>By how much the mean loss of the validation rows grows where the values of the column are permuted among them; ± is the standard deviation of the permutations</source>
        <translation>Um wie viel der mittlere Verlust der Validierungszeilen wächst, wenn die Werte der Spalte unter ihnen vertauscht werden; ± ist die Standardabweichung der Permutationen</translation>
    </message>
    <message>
        <source>By how much the mean loss grows where the tree is grown again without the column, by the search options; ± is half of the 95 % interval. Where another column tells the same, nothing is lost</source>
        <translation>Um wie viel der mittlere Verlust wächst, wenn der Baum mit den Suchoptionen ohne die Spalte neu wächst; ± ist die Hälfte des 95 %-Intervalls. Wo eine andere Spalte dasselbe sagt, geht nichts verloren</translation>
    </message>
    <message>
        <source>Splits</source>
        <translation>Teilungen</translation>
    </message>
    <message>
        <source>Splits on the column</source>
        <translation>Teilungen nach der Spalte</translation>
    </message>
    <message>
        <source>Impurity</source>
        <translation>Unreinheit</translation>
    </message>
    <message>
        <source>With surrogates</source>
        <translation>Mit Ersatz</translation>
    </message>
    <message>
        <source>Permutation</source>
        <translation>Permutation</translation>
    </message>
    <message>
        <source>Grown without</source>
        <translation>Ohne sie</translation>
    </message>
    <message>
        <source>Columns, the most important first</source>
        <translation>Spalten, die wichtigste zuerst</translation>
    </message>
    <message>
        <source>&amp;Permute</source>
        <translation>&amp;Permutieren</translation>
    </message>
    <message>
        <source>&amp;Grow without</source>
        <translation>Ohne sie &amp;wachsen</translation>
    </message>
    <message>
        <source>Writes all figures as CSV, Excel workbook or Parquet</source>
        <translation>Schreibt alle Zahlen als CSV, Excel-Arbeitsmappe oder Parquet</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>Open a table: here the columns stand by how much the tree rests on them.</source>
        <translation>Öffnen Sie eine Tabelle: Hier stehen die Spalten danach, wie sehr der Baum auf ihnen ruht.</translation>
    </message>
    <message>
        <source>Summing up the splits</source>
        <translation>Zählt die Teilungen zusammen</translation>
    </message>
    <message>
        <source>The tree has no split yet</source>
        <translation>Der Baum hat noch keine Teilung</translation>
    </message>
    <message>
        <source>Needs single rows, which are only counted here</source>
        <translation>Braucht einzelne Zeilen, die hier nur gezählt werden</translation>
    </message>
    <message>
        <source>Needs validation rows: Data ▸ Partition…</source>
        <translation>Braucht Validierungszeilen: Daten ▸ Aufteilung…</translation>
    </message>
    <message>
        <source>Permutes each column among the validation rows, {n} times</source>
        <translation>Vertauscht jede Spalte unter den Validierungszeilen, {n}-mal</translation>
    </message>
    <message>
        <source>Grows the tree again without each column, by the search options: up to {n} trees, or five times as many where there are no validation rows</source>
        <translation>Lässt den Baum mit den Suchoptionen ohne jede Spalte neu wachsen: bis zu {n} Bäume, oder fünfmal so viele, wo es keine Validierungszeilen gibt</translation>
    </message>
    <message>
        <source>Permuting columns</source>
        <translation>Permutiert Spalten</translation>
    </message>
    <message>
        <source>Growing without each column</source>
        <translation>Wachsen ohne jede Spalte</translation>
    </message>
    <message>
        <source>The criterion that the tree was grown with, as scikit-learn has it.</source>
        <translation>Das Kriterium, nach dem der Baum gewachsen ist, wie bei scikit-learn.</translation>
    </message>
    <message>
        <source>Chosen by</source>
        <translation>Gewählt durch</translation>
    </message>
    <message>
        <source>Which rows choose among the trees of the sequence.</source>
        <translation>Welche Zeilen unter den Bäumen der Folge wählen.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>The validation rows, or cross-validation where there are none. Structural risk: the penalty on the training rows, which needs neither.</source>
        <translation>Die Validierungszeilen, oder die Kreuzvalidierung, wo es keine gibt. Strukturelles Risiko: der Strafterm auf den Trainingszeilen, der keines von beiden braucht.</translation>
    </message>
    <message>
        <source>Rules for {target}</source>
        <translation>Regeln für {target}</translation>
    </message>
    <message>
        <source>Leaves: {leaves:,}. Training rows: {rows:,}. Validation rows: {validation:,}. {program}, {date}.</source>
        <translation>Blätter: {leaves:,}. Trainingszeilen: {rows:,}. Validierungszeilen: {validation:,}. {program}, {date}.</translation>
    </message>
    <message>
        <source>Made of the table {table}.</source>
        <translation>Aus der Tabelle {table} gemacht.</translation>
    </message>
    <message>
        <source>A row of {true} that is predicted as {predicted} costs {cost}.</source>
        <translation>Eine Zeile mit {true}, die als {predicted} vorhergesagt wird, kostet {cost}.</translation>
    </message>
    <message>
        <source>Validation rows</source>
        <translation>Validierungszeilen</translation>
    </message>
    <message>
        <source>The tree with the least error on the validation rows.</source>
        <translation>Der Baum mit dem kleinsten Fehler auf den Validierungszeilen.</translation>
    </message>
    <message>
        <source>Cross-validation</source>
        <translation>Kreuzvalidierung</translation>
    </message>
    <message>
        <source>The price per leaf, or for structural risk the number of leaves, with the least cross-validated error.</source>
        <translation>Der Preis je Blatt, oder beim strukturellen Risiko die Anzahl der Blätter, mit dem kleinsten kreuzvalidierten Fehler.</translation>
    </message>
    <message>
        <source>Standard errors</source>
        <translation>Standardfehler</translation>
    </message>
    <message>
        <source>The smallest tree whose error is at most this many standard errors above the least one.</source>
        <translation>Der kleinste Baum, dessen Fehler höchstens so viele Standardfehler über dem kleinsten liegt.</translation>
    </message>
    <message>
        <source>error ≤ least error + k · SE</source>
        <translation>Fehler ≤ kleinster Fehler + k · SE</translation>
    </message>
    <message>
        <source>1: the rule of Breiman, Friedman, Olshen and Stone.</source>
        <translation>1: die Regel von Breiman, Friedman, Olshen und Stone.</translation>
    </message>
    <message>
        <source>Growing as set</source>
        <translation>Wachsen wie eingestellt</translation>
    </message>
    <message>
        <source>Trees are grown by the search options as they are set now</source>
        <translation>Bäume wachsen nach den Suchoptionen, wie sie jetzt eingestellt sind</translation>
    </message>
    <message>
        <source>Growing and pruning: {method}</source>
        <translation>Wachsen und Stutzen: {method}</translation>
    </message>
    <message>
        <source>The same, and each tree is cut back by the method of the panel Prune, which chooses anew for each</source>
        <translation>Dasselbe, und jeder Baum wird mit dem Verfahren des Bereichs Stutzen gestutzt, das für jeden neu wählt</translation>
    </message>
    <message>
        <source>The splits of this tree</source>
        <translation>Die Teilungen dieses Baumes</translation>
    </message>
    <message>
        <source>The splits stay as they are, made by hand or not, and the leaves are counted on other rows</source>
        <translation>Die Teilungen bleiben, wie sie sind, von Hand gemacht oder nicht, und die Blätter werden auf anderen Zeilen ausgezählt</translation>
    </message>
    <message>
        <source>The split that is looked at</source>
        <translation>Die betrachtete Teilung</translation>
    </message>
    <message>
        <source>The split in “This node” alone, on the rows of its node</source>
        <translation>Die Teilung in „Dieser Knoten“ allein, auf den Zeilen ihres Knotens</translation>
    </message>
    <message>
        <source>Folds</source>
        <translation>Teile (Kreuzvalidierung)</translation>
    </message>
    <message>
        <source>Each part of the rows is judged by a tree of all others (cross-validation); the classes have the same shares in all parts</source>
        <translation>Jeden Teil der Zeilen beurteilt ein Baum aus allen anderen (Kreuzvalidierung); die Klassen haben in allen Teilen dieselben Anteile</translation>
    </message>
    <message>
        <source>Bootstrap samples</source>
        <translation>Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>As many rows as there are, drawn with replacement; the rows left out judge, and the splits are compared with those of the tree</source>
        <translation>So viele Zeilen, wie es gibt, mit Zurücklegen gezogen; die nicht gezogenen urteilen, und die Teilungen werden mit denen des Baumes verglichen</translation>
    </message>
    <message>
        <source>Subsamples</source>
        <translation>Teilstichproben</translation>
    </message>
    <message>
        <source>63.2 % of the rows drawn without replacement; otherwise as bootstrap samples</source>
        <translation>63.2 % der Zeilen, ohne Zurücklegen gezogen; sonst wie Bootstrap-Stichproben</translation>
    </message>
    <message>
        <source>Bagged trees</source>
        <translation>Bagging</translation>
    </message>
    <message>
        <source>Trees of bootstrap samples predict together; each row is judged by those that have not seen it</source>
        <translation>Bäume aus Bootstrap-Stichproben sagen gemeinsam vorher; jede Zeile beurteilen die, die sie nicht gesehen haben</translation>
    </message>
    <message>
        <source>Random forest</source>
        <translation>Zufallswald</translation>
    </message>
    <message>
        <source>As bagged trees, but every node chooses among some columns drawn at random, as many as the root of their number</source>
        <translation>Wie Bagging, aber jeder Knoten wählt unter einigen zufällig gezogenen Spalten, so vielen wie die Wurzel aus ihrer Anzahl</translation>
    </message>
    <message>
        <source>Each row left out</source>
        <translation>Jede Zeile einmal weggelassen</translation>
    </message>
    <message>
        <source>A tree for every training row, made without it (leave-one-out): this may take long</source>
        <translation>Für jede Trainingszeile ein Baum, der ohne sie entsteht (Leave-one-out): Das kann lange dauern</translation>
    </message>
    <message>
        <source>Folds by “{column}”</source>
        <translation>Teile nach „{column}“</translation>
    </message>
    <message>
        <source>As folds, but rows with the same value stay together</source>
        <translation>Wie Teile, aber Zeilen mit demselben Wert bleiben zusammen</translation>
    </message>
    <message>
        <source>Folds in the order of “{column}”</source>
        <translation>Teile in der Reihenfolge von „{column}“</translation>
    </message>
    <message>
        <source>Each part is judged by a tree of the rows before it; for dates and what is counted in time</source>
        <translation>Jeden Teil beurteilt ein Baum aus den Zeilen davor; für Daten und was mit der Zeit gezählt wird</translation>
    </message>
    <message>
        <source>What is judged</source>
        <translation>Was beurteilt wird</translation>
    </message>
    <message>
        <source>Class against the rest</source>
        <translation>Klasse gegen die übrigen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>The majority, or the costs, decide again</source>
        <translation>Wieder entscheidet die Mehrheit, oder die Kosten</translation>
    </message>
    <message>
        <source>Open a table: here the rows judge its tree.</source>
        <translation>Öffnen Sie eine Tabelle: Hier beurteilen die Zeilen ihren Baum.</translation>
    </message>
    <message>
        <source>The tree is being judged…</source>
        <translation>Der Baum wird beurteilt…</translation>
    </message>
    <message>
        <source>No rows reach node {node}: select another one.</source>
        <translation>Keine Zeilen erreichen den Knoten {node}: Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>{name} from</source>
        <translation>{name} ab</translation>
    </message>
    <message>
        <source>The branch of node {node}</source>
        <translation>Der Zweig von Knoten {node}</translation>
    </message>
    <message>
        <source>How it is judged</source>
        <translation>Wie beurteilt wird</translation>
    </message>
    <message>
        <source>Folds, samples or trees</source>
        <translation>Teile, Stichproben oder Bäume</translation>
    </message>
    <message>
        <source>How often the rows are dealt out into folds</source>
        <translation>Wie oft die Zeilen auf Teile verteilt werden</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Show on the tree</source>
        <translation>Am Baum zeigen</translation>
    </message>
    <message>
        <source>What was found, the newest first</source>
        <translation>Was gefunden wurde, das Neueste zuerst</translation>
    </message>
    <message>
        <source>Open a table: here other samples of its rows judge the tree.</source>
        <translation>Öffnen Sie eine Tabelle: Hier beurteilen andere Stichproben ihrer Zeilen den Baum.</translation>
    </message>
    <message>
        <source>A forest is grown by the search options</source>
        <translation>Ein Wald wächst nach den Suchoptionen</translation>
    </message>
    <message>
        <source>It looks at single rows, and those of this table are only counted: read a sample of them, or keep their codes.</source>
        <translation>Es betrachtet einzelne Zeilen, und die dieser Tabelle werden nur gezählt: Lesen Sie eine Stichprobe davon, oder bewahren Sie ihre Codes auf.</translation>
    </message>
    <message>
        <source>How often cross-validation deals the rows into folds; more are steadier, and take as much longer.</source>
        <translation>Wie oft die Kreuzvalidierung die Zeilen auf die Teile verteilt; öfter ist stabiler und dauert entsprechend länger.</translation>
    </message>
    <message>
        <source>10: ten times ten folds.</source>
        <translation>10: zehnmal zehn Teile.</translation>
    </message>
    <message>
        <source>How errors on the training rows become errors to be expected.</source>
        <translation>Wie aus Fehlern auf den Trainingszeilen zu erwartende Fehler werden.</translation>
    </message>
    <message>
        <source>C4.5</source>
        <translation>C4.5</translation>
    </message>
    <message>
        <source>The upper limit of the error of each leaf, at a confidence.</source>
        <translation>Die obere Grenze des Fehlers jedes Blattes, bei einer Konfidenz.</translation>
    </message>
    <message>
        <source>Quinlan 1987</source>
        <translation>Quinlan 1987</translation>
    </message>
    <message>
        <source>Half an error more for each leaf; a branch goes unless it saves more than a standard error.</source>
        <translation>Ein halber Fehler mehr für jedes Blatt; ein Zweig entfällt, wenn er nicht mehr als einen Standardfehler erspart.</translation>
    </message>
    <message>
        <source>Confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <source>How much errors on training rows are trusted: the smaller, the more is cut.</source>
        <translation>Wie sehr den Fehlern auf Trainingszeilen getraut wird: je kleiner, desto mehr wird geschnitten.</translation>
    </message>
    <message>
        <source>U: P(at most e errors among n) = confidence</source>
        <translation>U: P(höchstens e Fehler unter n) = Konfidenz</translation>
    </message>
    <message>
        <source>0.25: C4.5&apos;s usual one.</source>
        <translation>0.25: der übliche Wert von C4.5.</translation>
    </message>
    <message>
        <source>Raise branches</source>
        <translation>Zweige anheben</translation>
    </message>
    <message>
        <source>A node may be replaced by its largest branch, too; the rows of the others are sent down that branch.</source>
        <translation>Ein Knoten darf auch durch seinen größten Zweig ersetzt werden; die Zeilen der anderen gehen diesen Zweig hinab.</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>Schätzwert</translation>
    </message>
    <message>
        <source>By which estimate of the error trees are compared.</source>
        <translation>Nach welchem Schätzwert des Fehlers Bäume verglichen werden.</translation>
    </message>
    <message>
        <source>The error on the validation rows.</source>
        <translation>Der Fehler auf den Validierungszeilen.</translation>
    </message>
    <message>
        <source>Description bound</source>
        <translation>Beschreibungsschranke</translation>
    </message>
    <message>
        <source>The training error and what the length of the tree adds to it, with a confidence.</source>
        <translation>Der Trainingsfehler und was die Länge des Baumes hinzufügt, mit einer Konfidenz.</translation>
    </message>
    <message>
        <source>e + √(((n + 1) · log₂(d + 3) + ln(2/δ)) ÷ 2m)</source>
        <translation>e + √(((n + 1) · log₂(d + 3) + ln(2/δ)) ÷ 2m)</translation>
    </message>
    <message>
        <source>Pessimistic error</source>
        <translation>Pessimistischer Fehler</translation>
    </message>
    <message>
        <source>The upper limit of each leaf&apos;s error, as in C4.5.</source>
        <translation>Die obere Grenze des Fehlers jedes Blattes, wie bei C4.5.</translation>
    </message>
    <message>
        <source>Labels of leaves</source>
        <translation>Vorhersagen der Blätter</translation>
    </message>
    <message>
        <source>Which class a leaf predicts, and the leaves of a branch that takes another place.</source>
        <translation>Welche Klasse ein Blatt vorhersagt, und die Blätter eines Zweiges, der einen anderen Platz einnimmt.</translation>
    </message>
    <message>
        <source>Best by the estimate</source>
        <translation>Beste nach dem Schätzwert</translation>
    </message>
    <message>
        <source>Any class: the one with the least estimate. A branch is tried in its new place as it is, with its labels. The procedure of the notes. By the validation error it fits the labels to these rows: judge the result by test rows.</source>
        <translation>Jede Klasse: die mit dem kleinsten Schätzwert. Ein Zweig wird an seinem neuen Platz geprüft, wie er ist, mit seinen Vorhersagen. Das Verfahren der Skripte. Nach dem Validierungsfehler passt es die Vorhersagen an diese Zeilen an: Beurteilen Sie das Ergebnis mit Testzeilen.</translation>
    </message>
    <message>
        <source>As counted</source>
        <translation>Wie gezählt</translation>
    </message>
    <message>
        <source>The majority of the training rows, also of those that come along when a branch takes another place.</source>
        <translation>Die Mehrheit der Trainingszeilen, auch derer, die hinzukommen, wenn ein Zweig einen anderen Platz einnimmt.</translation>
    </message>
    <message>
        <source>Described by</source>
        <translation>Beschrieben durch</translation>
    </message>
    <message>
        <source>What the length of a description is made of.</source>
        <translation>Woraus die Länge einer Beschreibung besteht.</translation>
    </message>
    <message>
        <source>Tree and classes</source>
        <translation>Baum und Klassen</translation>
    </message>
    <message>
        <source>Bits for the splits, and for the classes of the rows in the leaves (Mehta, Rissanen and Agrawal).</source>
        <translation>Bits für die Teilungen und für die Klassen der Zeilen in den Blättern (Mehta, Rissanen und Agrawal).</translation>
    </message>
    <message>
        <source>leaf: 1 + Σ nᵢ · log₂(n/nᵢ) + (K − 1)/2 · log₂(n/2) + log₂(π^(K/2) ÷ Γ(K/2)); split: 1 + log₂ d + log₂ of the splits of its column</source>
        <translation>Blatt: 1 + Σ nᵢ · log₂(n/nᵢ) + (K − 1)/2 · log₂(n/2) + log₂(π^(K/2) ÷ Γ(K/2)); Teilung: 1 + log₂ d + log₂ der Teilungen ihrer Spalte</translation>
    </message>
    <message>
        <source>MDL bound</source>
        <translation>MDL-Schranke</translation>
    </message>
    <message>
        <source>e + √(((n + 1) · log₂(M + K + 1) + ln(2/δ)) ÷ 2m)</source>
        <translation>e + √(((n + 1) · log₂(M + K + 1) + ln(2/δ)) ÷ 2m)</translation>
    </message>
    <message>
        <source>Risk δ</source>
        <translation>Risiko δ</translation>
    </message>
    <message>
        <source>How likely it may be that the bound does not hold.</source>
        <translation>Wie wahrscheinlich es sein darf, dass die Schranke nicht gilt.</translation>
    </message>
    <message>
        <source>At most errors</source>
        <translation>Höchste Fehlerzahl</translation>
    </message>
    <message>
        <source>The fewest leaves with at most this many errors on the training rows.</source>
        <translation>Die wenigsten Blätter mit höchstens so vielen Fehlern auf den Trainingszeilen.</translation>
    </message>
    <message>
        <source>weighed against the leaves</source>
        <translation>gegen die Blätter abgewogen</translation>
    </message>
    <message>
        <source>Every size up to</source>
        <translation>Jede Größe bis</translation>
    </message>
    <message>
        <source>For every number of leaves up to this one the best tree is found; of larger ones those that cost complexity gives.</source>
        <translation>Für jede Anzahl von Blättern bis zu dieser wird der beste Baum gesucht; von größeren die, die die Kostenkomplexität ergibt.</translation>
    </message>
    <message>
        <source>Size of the classes</source>
        <translation>Größe der Klassen</translation>
    </message>
    <message>
        <source>How all trees and paths that there might be are counted.</source>
        <translation>Wie alle möglichen Bäume und Pfade gezählt werden.</translation>
    </message>
    <message>
        <source>By number</source>
        <translation>Nach Nummer</translation>
    </message>
    <message>
        <source>Conjunctions of the tests and trees of them, all counted.</source>
        <translation>Konjunktionen der Tests und Bäume daraus, alle gezählt.</translation>
    </message>
    <message>
        <source>ln PATHS = ℓ · ln 2M, ln TREES = n · ln(M + K + 1), M tests, K classes</source>
        <translation>ln PATHS = ℓ · ln 2M, ln TREES = n · ln(M + K + 1), M Tests, K Klassen</translation>
    </message>
    <message>
        <source>By VC dimension</source>
        <translation>Nach VC-Dimension</translation>
    </message>
    <message>
        <source>How many rows they can tell apart in all ways, however many tests there are.</source>
        <translation>Wie viele Zeilen sie auf alle Arten unterscheiden können, wie viele Tests es auch gibt.</translation>
    </message>
    <message>
        <source>ln PATHS = VC(ℓ tests) · ln 2m, ln TREES = VC(n nodes) · ln 2m</source>
        <translation>ln PATHS = VC(ℓ Tests) · ln 2m, ln TREES = VC(n Knoten) · ln 2m</translation>
    </message>
    <message>
        <source>As in the notes</source>
        <translation>Wie in den Skripten</translation>
    </message>
    <message>
        <source>One test for each column.</source>
        <translation>Ein Test für jede Spalte.</translation>
    </message>
    <message>
        <source>ln PATHS = ℓ · ln d, ln TREES = n · ln(d + K + 1)</source>
        <translation>ln PATHS = ℓ · ln d, ln TREES = n · ln(d + K + 1)</translation>
    </message>
    <message>
        <source>Factor c</source>
        <translation>Faktor c</translation>
    </message>
    <message>
        <source>By what the penalty is multiplied. Theory asks for more than 1, which leaves hardly a split of small tables.</source>
        <translation>Womit der Strafterm multipliziert wird. Die Theorie verlangt mehr als 1, was bei kleinen Tabellen kaum eine Teilung lässt.</translation>
    </message>
    <message>
        <source>Minimum rows in a leaf</source>
        <translation>Mindestzahl Zeilen im Blatt</translation>
    </message>
    <message>
        <source>Splits go that leave a branch with fewer training rows; several numbers are of the depths 1, 2, 3 …, the last one of all deeper levels.</source>
        <translation>Teilungen entfallen, die einen Zweig mit weniger Trainingszeilen lassen; mehrere Zahlen gelten für die Tiefen 1, 2, 3 …, die letzte für alle tieferen Ebenen.</translation>
    </message>
    <message>
        <source>50, 20: at least 50 rows in the root&apos;s branches, at least 20 below.</source>
        <translation>50, 20: mindestens 50 Zeilen in den Zweigen der Wurzel, darunter mindestens 20.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>Minimum validation gain</source>
        <translation>Mindestgewinn der Validierung</translation>
    </message>
    <message>
        <source>A split goes, with all below it, unless the splits from it down lower the validation error by more than this on average.</source>
        <translation>Eine Teilung entfällt mit allem darunter, wenn die Teilungen von ihr abwärts den Validierungsfehler im Mittel nicht um mehr als das senken.</translation>
    </message>
    <message>
        <source>Leaves that predict the same</source>
        <translation>Blätter, die dasselbe vorhersagen</translation>
    </message>
    <message>
        <source>Siblings that predict the same become one leaf.</source>
        <translation>Geschwister, die dasselbe vorhersagen, werden ein Blatt.</translation>
    </message>
    <message>
        <source>Significance</source>
        <translation>Signifikanz</translation>
    </message>
    <message>
        <source>A split needs an adjusted p-value of at most this.</source>
        <translation>Eine Teilung braucht einen angepassten p-Wert von höchstens diesem.</translation>
    </message>
    <message>
        <source>0.05: of 100 trees of pure noise at least 95 are cut to the root.</source>
        <translation>0.05: Von 100 Bäumen aus reinem Rauschen werden mindestens 95 bis zur Wurzel gestutzt.</translation>
    </message>
    <message>
        <source>no test</source>
        <translation>kein Test</translation>
    </message>
    <message>
        <source>Significance of</source>
        <translation>Signifikanz von</translation>
    </message>
    <message>
        <source>Which p-values are compared with the significance, and what else a split needs to stay.</source>
        <translation>Welche p-Werte mit der Signifikanz verglichen werden, und was eine Teilung sonst braucht, um zu bleiben.</translation>
    </message>
    <message>
        <source>The whole tree</source>
        <translation>Der ganze Baum</translation>
    </message>
    <message>
        <source>From the root down: a split stays if every split above it stays and its p-value, adjusted for the search of its column and for the number of columns, is small enough.</source>
        <translation>Von der Wurzel abwärts: Eine Teilung bleibt, wenn jede Teilung darüber bleibt und ihr p-Wert, für die Suche in ihrer Spalte und für die Zahl der Spalten angepasst, klein genug ist.</translation>
    </message>
    <message>
        <source>p · number of columns ≤ α, here and at every split above</source>
        <translation>p · Zahl der Spalten ≤ α, hier und bei jeder Teilung darüber</translation>
    </message>
    <message>
        <source>Each split by itself</source>
        <translation>Jede Teilung für sich</translation>
    </message>
    <message>
        <source>A split stays if its p-value, adjusted for the search of its column only, is small enough, or if a split below it stays. Most trees of pure noise keep splits.</source>
        <translation>Eine Teilung bleibt, wenn ihr p-Wert, nur für die Suche in ihrer Spalte angepasst, klein genug ist, oder wenn eine Teilung darunter bleibt. Die meisten Bäume aus reinem Rauschen behalten Teilungen.</translation>
    </message>
    <message>
        <source>p ≤ α, here or at a split below</source>
        <translation>p ≤ α, hier oder bei einer Teilung darunter</translation>
    </message>
    <message>
        <source>“{name}” is no option of “{label}”: it takes none.</source>
        <translation>„{name}“ ist keine Option von „{label}“: Es hat keine.</translation>
    </message>
    <message>
        <source>“{name}” is no option of “{label}”: it takes {names}.</source>
        <translation>„{name}“ ist keine Option von „{label}“: Es hat {names}.</translation>
    </message>
    <message>
        <source>The share of the rows that are labelled wrongly.</source>
        <translation>Der Anteil der falsch vorhergesagten Zeilen.</translation>
    </message>
    <message>
        <source>What the mistakes cost on average, by the tree&apos;s costs and priors.</source>
        <translation>Was die Fehler im Mittel kosten, nach den Kosten und A-priori-Anteilen des Baumes.</translation>
    </message>
    <message>
        <source>Profit</source>
        <translation>Ertrag</translation>
    </message>
    <message>
        <source>What a row earns on average where each leaf is acted on or not, by the tree&apos;s profits.</source>
        <translation>Was eine Zeile im Mittel bringt, wenn bei jedem Blatt gehandelt wird oder nicht, nach den Erträgen des Baumes.</translation>
    </message>
    <message>
        <source>Log-loss</source>
        <translation>Log-Loss</translation>
    </message>
    <message>
        <source>The mean of −ln of the probability of the true class.</source>
        <translation>Der Mittelwert von −ln der Wahrscheinlichkeit der wahren Klasse.</translation>
    </message>
    <message>
        <source>The mean of Σ (probability − 1 if it is the class)²: on training rows the Gini impurity of the leaves.</source>
        <translation>Der Mittelwert von Σ (Wahrscheinlichkeit − 1, wenn es die Klasse ist)²: auf Trainingszeilen die Gini-Unreinheit der Blätter.</translation>
    </message>
    <message>
        <source>AUC</source>
        <translation>AUC</translation>
    </message>
    <message>
        <source>How often a row of a class has the larger probability of it than a row of another; the mean over the classes.</source>
        <translation>Wie oft eine Zeile einer Klasse deren größere Wahrscheinlichkeit hat als eine Zeile einer anderen; der Mittelwert über die Klassen.</translation>
    </message>
    <message>
        <source>The mean of the squared errors.</source>
        <translation>Der Mittelwert der quadratischen Fehler.</translation>
    </message>
    <message>
        <source>R²</source>
        <translation>R²</translation>
    </message>
    <message>
        <source>The share of the variance that the tree explains.</source>
        <translation>Der Anteil der Varianz, den der Baum erklärt.</translation>
    </message>
    <message>
        <source>Absolute error (MAE)</source>
        <translation>Absoluter Fehler (MAE)</translation>
    </message>
    <message>
        <source>The mean of the absolute errors.</source>
        <translation>Der Mittelwert der absoluten Fehler.</translation>
    </message>
    <message>
        <source>No branch was raised: that looks at single rows, and those of this table are only counted.</source>
        <translation>Kein Zweig wurde angehoben: Das betrachtet einzelne Zeilen, und die dieser Tabelle werden nur gezählt.</translation>
    </message>
    <message>
        <source>The guarantee was proved for two classes and splits into two branches; for more of them paths and trees are counted here in the same way.</source>
        <translation>Die Garantie wurde für zwei Klassen und Teilungen in zwei Zweige bewiesen; für mehr davon werden Pfade und Bäume hier auf dieselbe Weise gezählt.</translation>
    </message>
    <message>
        <source>Errors to be expected</source>
        <translation>Zu erwartende Fehler</translation>
    </message>
    <message>
        <source>Errors among the training rows with ½ for each leaf</source>
        <translation>Fehler bei den Trainingszeilen mit ½ für jedes Blatt</translation>
    </message>
    <message>
        <source>Errors per training row</source>
        <translation>Fehler je Trainingszeile</translation>
    </message>
    <message>
        <source>The pruning was stopped: this is the tree as it was.</source>
        <translation>Das Stutzen wurde angehalten: Dies ist der Baum, wie er war.</translation>
    </message>
    <message>
        <source>This tree divides rows without a value among its branches, and this method moves whole rows: choose another one, such as Pessimistic, or grow the tree with another choice of missing values.</source>
        <translation>Dieser Baum verteilt Zeilen ohne Wert auf seine Zweige, und dieses Verfahren bewegt ganze Zeilen: Wählen Sie ein anderes, etwa Pessimistisch, oder lassen Sie den Baum mit einer anderen Wahl für fehlende Werte wachsen.</translation>
    </message>
    <message>
        <source>Mistakes were counted, not what they cost.</source>
        <translation>Gezählt wurden Fehler, nicht, was sie kosten.</translation>
    </message>
    <message>
        <source>Error of the whole tree on the validation rows</source>
        <translation>Fehler des ganzen Baumes auf den Validierungszeilen</translation>
    </message>
    <message>
        <source>Cost of the whole tree on the validation rows</source>
        <translation>Kosten des ganzen Baumes auf den Validierungszeilen</translation>
    </message>
    <message>
        <source>Bound of the whole tree&apos;s error</source>
        <translation>Schranke des Fehlers des ganzen Baumes</translation>
    </message>
    <message>
        <source>Error to be expected of the whole tree</source>
        <translation>Zu erwartender Fehler des ganzen Baumes</translation>
    </message>
    <message>
        <source>1 leaf predicts the class with the lowest validation error, not the majority of the training rows.</source>
        <translation>1 Blatt sagt die Klasse mit dem kleinsten Validierungsfehler vorher, nicht die Mehrheit der Trainingszeilen.</translation>
    </message>
    <message>
        <source>{n:,} leaves predict the classes with the lowest validation error, not the majority of the training rows.</source>
        <translation>{n:,} Blätter sagen die Klassen mit dem kleinsten Validierungsfehler vorher, nicht die Mehrheit der Trainingszeilen.</translation>
    </message>
    <message>
        <source>With a threshold of probabilities from validation rows no branches can be raised; choose another method, or other probabilities.</source>
        <translation>Mit einer Schwelle für Wahrscheinlichkeiten aus Validierungszeilen lassen sich keine Zweige anheben; wählen Sie ein anderes Verfahren oder andere Wahrscheinlichkeiten.</translation>
    </message>
    <message>
        <source>There is no pruning method “{method}”; choose one of {methods}.</source>
        <translation>Es gibt kein Stutzverfahren „{method}“; möglich sind {methods}.</translation>
    </message>
    <message>
        <source>folds cannot be {folds}; give a whole number, or one for each row.</source>
        <translation>folds kann nicht {folds} sein; geben Sie eine ganze Zahl an, oder eine für jede Zeile.</translation>
    </message>
    <message>
        <source>{folds} folds are too few; cross-validation needs at least 2.</source>
        <translation>{folds} Teile sind zu wenige; die Kreuzvalidierung braucht mindestens 2.</translation>
    </message>
    <message>
        <source>The folds of {given} rows were given; the table has {rows} rows.</source>
        <translation>Angegeben wurden die Teile von {given} Zeilen; die Tabelle hat {rows} Zeilen.</translation>
    </message>
    <message>
        <source>“{label}” cannot prune here. {fault}</source>
        <translation>„{label}“ kann hier nicht stutzen. {fault}</translation>
    </message>
    <message>
        <source>{quantity}: {leaf} as a leaf, {branch} with its branches (a leaf may be {allowed} worse), {raised} with a branch in its place.</source>
        <translation>{quantity}: {leaf} als Blatt, {branch} mit seinen Zweigen (ein Blatt darf um {allowed} schlechter sein), {raised} mit einem Zweig an seiner Stelle.</translation>
    </message>
    <message>
        <source>{quantity}: {leaf} as a leaf, {branch} with its branches (a leaf may be {allowed} worse).</source>
        <translation>{quantity}: {leaf} als Blatt, {branch} mit seinen Zweigen (ein Blatt darf um {allowed} schlechter sein).</translation>
    </message>
    <message>
        <source>{quantity}: {leaf} as a leaf, {branch} with its branches, {raised} with a branch in its place.</source>
        <translation>{quantity}: {leaf} als Blatt, {branch} mit seinen Zweigen, {raised} mit einem Zweig an seiner Stelle.</translation>
    </message>
    <message>
        <source>{quantity}: {leaf} as a leaf, {branch} with its branches.</source>
        <translation>{quantity}: {leaf} als Blatt, {branch} mit seinen Zweigen.</translation>
    </message>
    <message>
        <source>No pruning of this tree up to {cap:,} leaves has {leaves:,} of them.</source>
        <translation>Kein gestutzter Baum bis zu {cap:,} Blättern hat {leaves:,} davon.</translation>
    </message>
    <message>
        <source>The front cannot end at {leaves} leaves; at 1 to {most:,} it can.</source>
        <translation>Die Front kann nicht bei {leaves} Blättern enden; bei 1 bis {most:,} kann sie es.</translation>
    </message>
    <message>
        <source>Training {mean} + {price} per leaf, what √(size ÷ m) grows by</source>
        <translation>{mean} im Training + {price} je Blatt, worum √(Größe ÷ m) wächst</translation>
    </message>
    <message>
        <source>No pruning has at most {most:,} errors on the training rows: the fewest are {fewest}.</source>
        <translation>Kein gestutzter Baum hat höchstens {most:,} Fehler auf den Trainingszeilen: Die wenigsten sind {fewest}.</translation>
    </message>
    <message>
        <source>Every size was looked at up to {cap:,} leaves, beyond that only the sizes of cost complexity.</source>
        <translation>Jede Größe bis {cap:,} Blätter wurde angesehen, darüber nur die Größen der Kostenkomplexität.</translation>
    </message>
    <message>
        <source>{loss} of the whole tree on the training rows: {errors} with this node as a leaf, {most} allowed.</source>
        <translation>{loss} des ganzen Baumes auf den Trainingszeilen: {errors} mit diesem Knoten als Blatt, {most} erlaubt.</translation>
    </message>
    <message>
        <source>Cross-validated {mean}</source>
        <translation>Kreuzvalidiert: {mean}</translation>
    </message>
    <message>
        <source>Validation {mean}</source>
        <translation>Validierung, {mean}</translation>
    </message>
    <message>
        <source>{quantity}: {ours} with {n:,} leaves, {theirs} with {other:,}, what is left with this node as a leaf.</source>
        <translation>{quantity}: {ours} mit {n:,} Blättern, {theirs} mit {other:,}, was mit diesem Knoten als Blatt bleibt.</translation>
    </message>
    <message>
        <source>{quantity}: {ours} with {n:,} leaves, {theirs} with {other:,}, the fewest with its split.</source>
        <translation>{quantity}: {ours} mit {n:,} Blättern, {theirs} mit {other:,}, den wenigsten mit seiner Teilung.</translation>
    </message>
    <message>
        <source>Rows weigh as the altered priors say, from priors and costs.</source>
        <translation>Zeilen wiegen, wie die geänderten A-priori-Anteile sagen, aus A-priori-Anteilen und Kosten.</translation>
    </message>
    <message>
        <source>mean of the branches = {terms} = {children}</source>
        <translation>Mittelwert der Zweige = {terms} = {children}</translation>
    </message>
    <message>
        <source>drop = {impurity} − {children} = {drop}</source>
        <translation>Abfall = {impurity} − {children} = {drop}</translation>
    </message>
    <message>
        <source>gain = {gain}: of the rows that have the value, times their share</source>
        <translation>Gewinn = {gain}: bei den Zeilen mit Wert, mal deren Anteil</translation>
    </message>
    <message>
        <source>drop = {drop}; the counts of the branches do not tell it, their rows do</source>
        <translation>Abfall = {drop}; die Zahlen der Zweige sagen es nicht, ihre Zeilen schon</translation>
    </message>
    <message>
        <source>less the penalty for its choice: {gain} − {price} = {rest}</source>
        <translation>weniger der Abzug für seine Wahl: {gain} − {price} = {rest}</translation>
    </message>
    <message>
        <source>split information = {bits} bits</source>
        <translation>Split-Information = {bits} Bits</translation>
    </message>
    <message>
        <source>ratio = {gain} ÷ {bits} = {ratio}</source>
        <translation>Verhältnis = {gain} ÷ {bits} = {ratio}</translation>
    </message>
    <message>
        <source>“{column}” has no split whose arithmetic could be shown: {reason}.</source>
        <translation>„{column}“ hat keine Teilung, deren Rechenweg sich zeigen ließe: {reason}.</translation>
    </message>
    <message>
        <source>The scores of “{column}” do not tell which target it has.</source>
        <translation>Die Bewertungen von „{column}“ sagen nicht, welche Zielspalte sie hat.</translation>
    </message>
    <message>
        <source>branch {n}</source>
        <translation>Zweig {n}</translation>
    </message>
    <message>
        <source>{part}: {rows} rows by weight, share {share}</source>
        <translation>{part}: {rows} Zeilen nach Gewicht, Anteil {share}</translation>
    </message>
    <message>
        <source>{part}: no rows</source>
        <translation>{part}: keine Zeilen</translation>
    </message>
    <message>
        <source>{part}: share {share}, i = {value}</source>
        <translation>{part}: Anteil {share}, i = {value}</translation>
    </message>
    <message>
        <source>{test} = {statistic} with {one} and {other} degrees of freedom, {rows:,} rows</source>
        <translation>{test} = {statistic} mit {one} und {other} Freiheitsgraden, {rows:,} Zeilen</translation>
    </message>
    <message>
        <source>{test} = {statistic} with 1 degree of freedom, {rows:,} rows</source>
        <translation>{test} = {statistic} mit 1 Freiheitsgrad, {rows:,} Zeilen</translation>
    </message>
    <message>
        <source>{test} = {statistic} with {n} degrees of freedom, {rows:,} rows</source>
        <translation>{test} = {statistic} mit {n} Freiheitsgraden, {rows:,} Zeilen</translation>
    </message>
    <message>
        <source>p = {p}, as if no other split had been looked at</source>
        <translation>p = {p}, als wäre keine andere Teilung angesehen worden</translation>
    </message>
    <message>
        <source>the best of {tries} splits of the column</source>
        <translation>die beste von {tries} Teilungen der Spalte</translation>
    </message>
    <message>
        <source>permutation test ({n:,} permutations)</source>
        <translation>Permutationstest ({n:,} Permutationen)</translation>
    </message>
    <message>
        <source>a branch of so few rows, by the hypergeometric law</source>
        <translation>ein Zweig mit so wenigen Zeilen, nach der hypergeometrischen Verteilung</translation>
    </message>
    <message>
        <source>left out below node {node}</source>
        <translation>unter Knoten {node} ausgeschlossen</translation>
    </message>
    <message>
        <source>Node {node} is searched by {criterion}, but {why}</source>
        <translation>Knoten {node} wird nach {criterion} durchsucht, aber {why}</translation>
    </message>
    <message>
        <source>all rows take one branch</source>
        <translation>alle Zeilen gehen in einen Zweig</translation>
    </message>
    <message>
        <source>a branch has 1 row, fewer than {most:,}</source>
        <translation>ein Zweig hat 1 Zeile, weniger als {most:,}</translation>
    </message>
    <message>
        <source>a branch has {rows:,} rows, fewer than {most:,}</source>
        <translation>ein Zweig hat {rows:,} Zeilen, weniger als {most:,}</translation>
    </message>
    <message>
        <source>Reading {file} was stopped.</source>
        <translation>Das Lesen von {file} wurde angehalten.</translation>
    </message>
    <message>
        <source>{file} takes more than {seconds} seconds to read: save only the table as .csv.</source>
        <translation>{file} braucht mehr als {seconds} Sekunden zum Lesen: Speichern Sie nur die Tabelle als .csv.</translation>
    </message>
    <message>
        <source>{file} is protected by a password: save a copy without one and open that.</source>
        <translation>{file} ist mit einem Kennwort geschützt: Speichern Sie eine Kopie ohne Kennwort, und öffnen Sie diese.</translation>
    </message>
    <message>
        <source>{file} is broken, or is no Excel workbook: save it again as .xlsx or .csv.</source>
        <translation>{file} ist beschädigt oder keine Excel-Arbeitsmappe: Speichern Sie sie noch einmal als .xlsx oder .csv.</translation>
    </message>
    <message>
        <source>{file} has more than {most} bytes in its cells: save only the table as .csv.</source>
        <translation>{file} hat mehr als {most} Bytes in seinen Zellen: Speichern Sie nur die Tabelle als .csv.</translation>
    </message>
    <message>
        <source>{file} has {n} cells in {size} bytes, which no table has: save only the table as .csv.</source>
        <translation>{file} hat {n} Zellen in {size} Bytes, was keine Tabelle hat: Speichern Sie nur die Tabelle als .csv.</translation>
    </message>
    <message>
        <source>{file} has {n} cells with a value on a sheet of {rows} rows and {columns} columns: clear the cells that are far away from the table, or save only the table as .csv.</source>
        <translation>{file} hat {n} Zellen mit Wert auf einem Tabellenblatt von {rows} Zeilen und {columns} Spalten: Leeren Sie die Zellen, die weit von der Tabelle entfernt sind, oder speichern Sie nur die Tabelle als .csv.</translation>
    </message>
    <message>
        <source>{file} is empty: choose a table with a header and rows.</source>
        <translation>{file} ist leer: Wählen Sie eine Tabelle mit Kopfzeile und Zeilen.</translation>
    </message>
    <message>
        <source>{file} has no sheets: choose another workbook.</source>
        <translation>{file} hat keine Tabellenblätter: Wählen Sie eine andere Arbeitsmappe.</translation>
    </message>
    <message>
        <source>{file} has no sheet “{name}”: choose one of {sheets}.</source>
        <translation>{file} hat kein Tabellenblatt „{name}“: Möglich sind {sheets}.</translation>
    </message>
    <message>
        <source>{file} has nothing in its sheets: fill one in, or choose another workbook.</source>
        <translation>{file} hat nichts in seinen Tabellenblättern: Füllen Sie eines aus, oder wählen Sie eine andere Arbeitsmappe.</translation>
    </message>
    <message>
        <source>The sheet “{name}” of {file} is empty: choose another sheet.</source>
        <translation>Das Tabellenblatt „{name}“ von {file} ist leer: Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>{file} asks for more than {size:,.1f} GB of memory: clear the cells that are far away from the table, or save only the table as .csv.</source>
        <translation>{file} verlangt mehr als {size:,.1f} GB Speicher: Leeren Sie die Zellen, die weit von der Tabelle entfernt sind, oder speichern Sie nur die Tabelle als .csv.</translation>
    </message>
    <message>
        <source>close other programs, or open a part of the rows or columns</source>
        <translation>schließen Sie andere Programme, oder öffnen Sie einen Teil der Zeilen oder Spalten</translation>
    </message>
    <message>
        <source>a PNG picture</source>
        <translation>ein PNG-Bild</translation>
    </message>
    <message>
        <source>a JPEG picture</source>
        <translation>ein JPEG-Bild</translation>
    </message>
    <message>
        <source>a GIF picture</source>
        <translation>ein GIF-Bild</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>ein PDF-Dokument</translation>
    </message>
    <message>
        <source>a Parquet file</source>
        <translation>eine Parquet-Datei</translation>
    </message>
    <message>
        <source>a Feather file</source>
        <translation>eine Feather-Datei</translation>
    </message>
    <message>
        <source>a packed file or a workbook</source>
        <translation>eine gepackte Datei oder eine Arbeitsmappe</translation>
    </message>
    <message>
        <source>a packed file</source>
        <translation>eine gepackte Datei</translation>
    </message>
    <message>
        <source>an old workbook or document</source>
        <translation>eine alte Arbeitsmappe oder ein altes Dokument</translation>
    </message>
    <message>
        <source>a database</source>
        <translation>eine Datenbank</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>ein Programm</translation>
    </message>
    <message>
        <source>{file} is a pickle, which could run a program when opened: save it as CSV or Parquet.</source>
        <translation>{file} ist eine Pickle-Datei, die beim Öffnen ein Programm ausführen könnte: Speichern Sie sie als CSV oder Parquet.</translation>
    </message>
    <message>
        <source>{file} is packed: unpack it first and open the table inside.</source>
        <translation>{file} ist gepackt: Entpacken Sie sie zuerst, und öffnen Sie die Tabelle darin.</translation>
    </message>
    <message>
        <source>{file} is a database: choose one of its tables by “Open database…” in the menu File.</source>
        <translation>{file} ist eine Datenbank: Wählen Sie eine ihrer Tabellen mit „Datenbank öffnen…“ im Menü Datei.</translation>
    </message>
    <message>
        <source>{file} cannot be opened, as files without a suffix are not known: save it as .csv, .xlsx or .parquet.</source>
        <translation>{file} lässt sich nicht öffnen, da Dateien ohne Endung nicht bekannt sind: Speichern Sie als .csv, .xlsx oder .parquet.</translation>
    </message>
    <message>
        <source>{file} cannot be opened, as “{suffix}” files are not known: save it as .csv, .xlsx or .parquet.</source>
        <translation>{file} lässt sich nicht öffnen, da „{suffix}“-Dateien nicht bekannt sind: Speichern Sie als .csv, .xlsx oder .parquet.</translation>
    </message>
    <message>
        <source>No file is named: choose one.</source>
        <translation>Keine Datei ist genannt: Wählen Sie eine.</translation>
    </message>
    <message>
        <source>{file} is a folder: choose a file in it.</source>
        <translation>{file} ist ein Ordner: Wählen Sie eine Datei darin.</translation>
    </message>
    <message>
        <source>{file} is not there: it may have been moved or deleted; choose it again.</source>
        <translation>{file} ist nicht da: Sie wurde vielleicht verschoben oder gelöscht; wählen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{file} is not a regular file: save the table to a file first.</source>
        <translation>{file} ist keine gewöhnliche Datei: Speichern Sie die Tabelle zuerst in eine Datei.</translation>
    </message>
    <message>
        <source>{path!r} cannot be opened ({reason}): choose another file.</source>
        <translation>{path!r} lässt sich nicht öffnen ({reason}): Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{folder} holds no Parquet files: choose a folder of .parquet files.</source>
        <translation>{folder} enthält keine Parquet-Dateien: einen Ordner mit .parquet-Dateien wählen.</translation>
    </message>
    <message>
        <source>No file is called {glob}: check the folder and the pattern.</source>
        <translation>Keine Datei heißt {glob}: Ordner und Muster prüfen.</translation>
    </message>
    <message>
        <source>{file} is no Parquet file: several files are one table only where all of them are.</source>
        <translation>{file} ist keine Parquet-Datei: mehrere Dateien sind nur dann eine Tabelle, wenn alle es sind.</translation>
    </message>
    <message>
        <source>{file} may not be read: ask for permission to read it.</source>
        <translation>{file} darf nicht gelesen werden: Bitten Sie um die Erlaubnis, sie zu lesen.</translation>
    </message>
    <message>
        <source>{file} cannot be read ({reason}): copy it elsewhere and try again.</source>
        <translation>{file} lässt sich nicht lesen ({reason}): Kopieren Sie sie anderswohin, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{file} cannot be read ({reason}): choose it again.</source>
        <translation>{file} lässt sich nicht lesen ({reason}): Wählen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>There is not enough memory to read {label}: {remedy}.</source>
        <translation>Der Speicher reicht nicht, um {label} zu lesen: {remedy}.</translation>
    </message>
    <message>
        <source>{label} has {rows:,} rows, more than the {most:,} of a table: open a part of it.</source>
        <translation>{label} hat {rows:,} Zeilen, mehr als die {most:,} einer Tabelle: Öffnen Sie einen Teil davon.</translation>
    </message>
    <message>
        <source>{label} has {rows:,} rows of {columns:,} columns, which take {size:,.1f} GB, but {free:,.1f} GB are free: {remedy}.</source>
        <translation>{label} hat {rows:,} Zeilen mit {columns:,} Spalten, die {size:,.1f} GB brauchen, aber {free:,.1f} GB sind frei: {remedy}.</translation>
    </message>
    <message>
        <source>{label} has {columns:,} columns, more than the {most:,} of a table: open a part of them, or check what separates the cells and the lines.</source>
        <translation>{label} hat {columns:,} Spalten, mehr als die {most:,} einer Tabelle: Öffnen Sie einen Teil davon, oder prüfen Sie, was Zellen und Zeilen trennt.</translation>
    </message>
    <message>
        <source>a pickle</source>
        <translation>eine Pickle-Datei</translation>
    </message>
    <message>
        <source>{label} is {kind}, not a table of text: choose a CSV file, or give it its true suffix.</source>
        <translation>{label} ist {kind}, keine Tabelle aus Text: Wählen Sie eine CSV-Datei, oder geben Sie ihr ihre wahre Endung.</translation>
    </message>
    <message>
        <source>There is no encoding “{name}”: use utf-8, utf-16 or cp1252.</source>
        <translation>Es gibt keine Kodierung „{name}“: Verwenden Sie utf-8, utf-16 oder cp1252.</translation>
    </message>
    <message>
        <source>The text is not valid UTF-8: it was read as Windows-1252 (cp1252).</source>
        <translation>Der Text ist kein gültiges UTF-8: Er wurde als Windows-1252 (cp1252) gelesen.</translation>
    </message>
    <message>
        <source>Some bytes are no {encoding} text and were replaced: choose another encoding.</source>
        <translation>Einige Bytes sind kein {encoding}-Text und wurden ersetzt: Wählen Sie eine andere Kodierung.</translation>
    </message>
    <message>
        <source>{label} holds binary data, not a table of text: save it as CSV, Excel or Parquet.</source>
        <translation>{label} enthält binäre Daten, keine Tabelle aus Text: Speichern Sie sie als CSV, Excel oder Parquet.</translation>
    </message>
    <message>
        <source>{label} is empty: choose a table with a header and rows.</source>
        <translation>{label} ist leer: Wählen Sie eine Tabelle mit Kopfzeile und Zeilen.</translation>
    </message>
    <message>
        <source>“{encoding}” is no encoding of text: use utf-8, utf-16 or cp1252.</source>
        <translation>„{encoding}“ ist keine Textkodierung: Verwenden Sie utf-8, utf-16 oder cp1252.</translation>
    </message>
    <message>
        <source>{label} cannot be read as “{encoding}”: use utf-8, utf-16 or cp1252.</source>
        <translation>{label} lässt sich nicht als „{encoding}“ lesen: Verwenden Sie utf-8, utf-16 oder cp1252.</translation>
    </message>
    <message>
        <source>“{name}” was read without its % signs.</source>
        <translation>„{name}“ wurde ohne %-Zeichen gelesen.</translation>
    </message>
    <message>
        <source>“{name}” was read without the marks between thousands.</source>
        <translation>„{name}“ wurde ohne die Zeichen zwischen Tausendern gelesen.</translation>
    </message>
    <message>
        <source>The {option} “{value}” must be text.</source>
        <translation>Die Option {option} „{value}“ muss Text sein.</translation>
    </message>
    <message>
        <source>“{delimiter}” cannot separate cells: give one character, such as , or ;.</source>
        <translation>„{delimiter}“ kann keine Zellen trennen: Geben Sie ein Zeichen an, wie , oder ;.</translation>
    </message>
    <message>
        <source>“{sign}” cannot separate cells: give an ASCII character.</source>
        <translation>„{sign}“ kann keine Zellen trennen: Geben Sie ein ASCII-Zeichen an.</translation>
    </message>
    <message>
        <source>“{decimal}” is no decimal mark: choose . or ,.</source>
        <translation>„{decimal}“ ist kein Dezimalzeichen: Wählen Sie . oder ,.</translation>
    </message>
    <message>
        <source>“{header}” does not say whether there is a header: give true or false.</source>
        <translation>„{header}“ sagt nicht, ob es eine Kopfzeile gibt: Geben Sie true oder false an.</translation>
    </message>
    <message>
        <source>missing tokens</source>
        <translation>Zeichen für fehlende Werte</translation>
    </message>
    <message>
        <source>column names</source>
        <translation>Spaltennamen</translation>
    </message>
    <message>
        <source>The kinds of columns must be given by column name.</source>
        <translation>Die Arten der Spalten müssen nach Spaltennamen angegeben werden.</translation>
    </message>
    <message>
        <source>The read options must be given by name.</source>
        <translation>Die Leseoptionen müssen nach Namen angegeben werden.</translation>
    </message>
    <message>
        <source>There is no read option “{option}”.</source>
        <translation>Es gibt keine Leseoption „{option}“.</translation>
    </message>
    <message>
        <source>levels of “{name}”</source>
        <translation>Ausprägungen von „{name}“</translation>
    </message>
    <message>
        <source>There is no column kind “{kind}” (“{name}”): choose one of {kinds}.</source>
        <translation>Es gibt keine Spaltenart „{kind}“ („{name}“): Möglich sind {kinds}.</translation>
    </message>
    <message>
        <source>The {what} must be a list of texts.</source>
        <translation>{what} muss eine Liste von Texten sein.</translation>
    </message>
    <message>
        <source>The {what} “{value}” cannot be written in UTF-8: type it again.</source>
        <translation>{what} „{value}“ lässt sich nicht in UTF-8 schreiben: Tippen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{file} is broken, or is no Parquet or Feather file: export it again.</source>
        <translation>{file} ist beschädigt oder keine Parquet- oder Feather-Datei: Exportieren Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{file} holds no column of numbers, texts or dates: choose another table.</source>
        <translation>{file} enthält keine Spalte mit Zahlen, Texten oder Daten: Wählen Sie eine andere Tabelle.</translation>
    </message>
    <message>
        <source>“{name}” holds nested or binary values and was left out.</source>
        <translation>„{name}“ enthält verschachtelte oder binäre Werte und wurde ausgelassen.</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>der Text</translation>
    </message>
    <message>
        <source>{label} has a header but no rows.</source>
        <translation>{label} hat eine Kopfzeile, aber keine Zeilen.</translation>
    </message>
    <message>
        <source>{label} has one column only; a tree needs a target and at least one feature.</source>
        <translation>{label} hat nur eine Spalte; ein Baum braucht eine Zielspalte und mindestens ein Merkmal.</translation>
    </message>
    <message>
        <source>“{name}” only numbers the rows and is ignored; change its role to use it.</source>
        <translation>„{name}“ nummeriert nur die Zeilen und wird ignoriert; ändern Sie ihre Rolle, um sie zu verwenden.</translation>
    </message>
    <message>
        <source>“{name}” has a value of its own in every row and is ignored; make it a feature if it tells something.</source>
        <translation>„{name}“ hat in jeder Zeile einen eigenen Wert und wird ignoriert; machen Sie sie zum Merkmal, wenn sie etwas aussagt.</translation>
    </message>
    <message>
        <source>“{name}” has a value of its own in nearly every row and is ignored; make it a feature if it tells something.</source>
        <translation>„{name}“ hat in fast jeder Zeile einen eigenen Wert und wird ignoriert; machen Sie sie zum Merkmal, wenn sie etwas aussagt.</translation>
    </message>
    <message>
        <source>1 column without name and values was left out.</source>
        <translation>1 Spalte ohne Namen und Werte wurde ausgelassen.</translation>
    </message>
    <message>
        <source>{n:,} columns without name and values were left out.</source>
        <translation>{n:,} Spalten ohne Namen und Werte wurden ausgelassen.</translation>
    </message>
    <message>
        <source>1 empty row was left out.</source>
        <translation>1 leere Zeile wurde ausgelassen.</translation>
    </message>
    <message>
        <source>{n:,} empty rows were left out.</source>
        <translation>{n:,} leere Zeilen wurden ausgelassen.</translation>
    </message>
    <message>
        <source>{label} has {columns} columns but {names} names are given: give one for each.</source>
        <translation>{label} hat {columns} Spalten, aber {names} Namen sind angegeben: Geben Sie für jede einen an.</translation>
    </message>
    <message>
        <source>2 columns are called “{name}”: the second is now “{name} (2)”.</source>
        <translation>2 Spalten heißen „{name}“: die zweite heißt jetzt „{name} (2)“.</translation>
    </message>
    <message>
        <source>{n} columns are called “{name}”: all but the first are now numbered.</source>
        <translation>{n} Spalten heißen „{name}“: Alle außer der ersten sind jetzt nummeriert.</translation>
    </message>
    <message>
        <source>There is no example “{id}”: choose one of {known}.</source>
        <translation>Es gibt kein Beispiel „{id}“: Möglich sind {known}.</translation>
    </message>
    <message>
        <source>It is not known where the table is (“{kind}”): open the table itself.</source>
        <translation>Es ist nicht bekannt, wo die Tabelle liegt („{kind}“): Öffnen Sie die Tabelle selbst.</translation>
    </message>
    <message>
        <source>{label} has changed since it was last read: its present rows are used.</source>
        <translation>{label} hat sich seit dem letzten Lesen geändert: Verwendet werden die jetzigen Zeilen.</translation>
    </message>
    <message>
        <source>It is not known which rows the sample has: open the table itself.</source>
        <translation>Es ist nicht bekannt, welche Zeilen die Stichprobe hat: die Tabelle selbst öffnen.</translation>
    </message>
    <message>
        <source>Reading {file}</source>
        <translation>{file} wird gelesen</translation>
    </message>
    <message>
        <source>{label} has a header but no rows: add rows below it.</source>
        <translation>{label} hat eine Kopfzeile, aber keine Zeilen: Fügen Sie darunter Zeilen hinzu.</translation>
    </message>
    <message>
        <source>{label} has one column only, “{name}”, but a tree needs a target and at least one feature: check the delimiter, or choose another table.</source>
        <translation>{label} hat nur eine Spalte, „{name}“, aber ein Baum braucht eine Zielspalte und mindestens ein Merkmal: Prüfen Sie das Trennzeichen, oder wählen Sie eine andere Tabelle.</translation>
    </message>
    <message>
        <source>{label} cannot be read as a table with “{delimiter}” between cells: choose another delimiter.</source>
        <translation>{label} lässt sich nicht als Tabelle mit „{delimiter}“ zwischen den Zellen lesen: Wählen Sie ein anderes Trennzeichen.</translation>
    </message>
    <message>
        <source>{label} has {n} cells in line {line} where {width} are expected: correct that line, or choose another delimiter.</source>
        <translation>{label} hat {n} Zellen in Zeile {line}, wo {width} erwartet sind: Berichtigen Sie diese Zeile, oder wählen Sie ein anderes Trennzeichen.</translation>
    </message>
    <message>
        <source>{label} has {n} cells in line {line} where the header has {width}: correct that line, or choose another delimiter.</source>
        <translation>{label} hat {n} Zellen in Zeile {line}, wo die Kopfzeile {width} hat: Berichtigen Sie diese Zeile, oder wählen Sie ein anderes Trennzeichen.</translation>
    </message>
    <message>
        <source>{label} has too few cells in {short:,} of {rows:,} rows, first in line {line} ({cells} instead of {width}): correct them, or choose another delimiter.</source>
        <translation>{label} hat zu wenige Zellen in {short:,} von {rows:,} Zeilen, zuerst in Zeile {line} ({cells} statt {width}): Berichtigen Sie sie, oder wählen Sie ein anderes Trennzeichen.</translation>
    </message>
    <message>
        <source>Line {line} has {n} of {width} cells: the others count as missing.</source>
        <translation>Zeile {line} hat {n} von {width} Zellen: Die anderen zählen als fehlend.</translation>
    </message>
    <message>
        <source>{rows:,} rows have fewer than {width} cells, first line {line}: the others count as missing.</source>
        <translation>{rows:,} Zeilen haben weniger als {width} Zellen, zuerst Zeile {line}: Die anderen zählen als fehlend.</translation>
    </message>
    <message>
        <source>{label} opens a quotation mark (&quot;) in line {line} and never closes it: add or delete one there.</source>
        <translation>{label} öffnet in Zeile {line} ein Anführungszeichen (&quot;) und schließt es nie: Fügen Sie dort eines hinzu, oder löschen Sie eines.</translation>
    </message>
    <message>
        <source>Row {row} has 1 cell where {width} are expected; it begins with “{start}”.</source>
        <translation>Zeile {row} hat 1 Zelle, wo {width} erwartet sind; sie beginnt mit „{start}“.</translation>
    </message>
    <message>
        <source>Row {row} has {n} cells where {width} are expected; it begins with “{start}”.</source>
        <translation>Zeile {row} hat {n} Zellen, wo {width} erwartet sind; sie beginnt mit „{start}“.</translation>
    </message>
    <message>
        <source>“{name}” was read with the day before the month: the other order would fit as well.</source>
        <translation>„{name}“ wurde mit dem Tag vor dem Monat gelesen: Die andere Reihenfolge würde auch passen.</translation>
    </message>
    <message>
        <source>“{name}” holds numbers that are not whole: it stays a number.</source>
        <translation>„{name}“ enthält Zahlen, die nicht ganz sind: Sie bleibt eine Zahl.</translation>
    </message>
    <message>
        <source>“{name}” could be day/month or month/day: it stays text until you choose “date” for it.</source>
        <translation>„{name}“ könnte Tag/Monat oder Monat/Tag sein: Es bleibt Text, bis Sie „Datum“ dafür wählen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a date except for “{one}”: add it to the missing values to read it so.</source>
        <translation>„{name}“ sieht wie ein Datum aus, außer „{one}“: Fügen Sie es den fehlenden Werten hinzu, um es so zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a date except for “{one}” and “{other}”: add them to the missing values to read it so.</source>
        <translation>„{name}“ sieht wie ein Datum aus, außer „{one}“ und „{other}“: Fügen Sie sie den fehlenden Werten hinzu, um es so zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a number except for “{one}”: add it to the missing values to read it so.</source>
        <translation>„{name}“ sieht wie eine Zahl aus, außer „{one}“: Fügen Sie es den fehlenden Werten hinzu, um es so zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a number except for “{one}” and “{other}”: add them to the missing values to read it so.</source>
        <translation>„{name}“ sieht wie eine Zahl aus, außer „{one}“ und „{other}“: Fügen Sie sie den fehlenden Werten hinzu, um es so zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a number with a decimal point, but “,” is the decimal mark: choose “.” to read it so.</source>
        <translation>„{name}“ sieht wie eine Zahl mit Dezimalpunkt aus, aber „,“ ist das Dezimalzeichen: Wählen Sie „.“, um es so zu lesen.</translation>
    </message>
    <message>
        <source>“{name}” looks like a number with a decimal comma, but “.” is the decimal mark: choose “,” to read it so.</source>
        <translation>„{name}“ sieht wie eine Zahl mit Dezimalkomma aus, aber „.“ ist das Dezimalzeichen: Wählen Sie „,“, um es so zu lesen.</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>wahr oder falsch</translation>
    </message>
    <message>
        <source>a date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>In “{name}” “{first}” cannot be read as {what} and counts as missing.</source>
        <translation>In „{name}“ lässt sich „{first}“ nicht als {what} lesen und gilt als fehlend.</translation>
    </message>
    <message>
        <source>In “{name}” {n:,} different texts cannot be read as {what} and count as missing, first “{first}”.</source>
        <translation>In „{name}“ lassen sich {n:,} verschiedene Texte nicht als {what} lesen und gelten als fehlend, zuerst „{first}“.</translation>
    </message>
    <message>
        <source>In “{name}” 1 cell cannot be read as {what} and counts as missing, first “{first}”.</source>
        <translation>In „{name}“ lässt sich 1 Zelle nicht als {what} lesen und zählt als fehlend, zuerst „{first}“.</translation>
    </message>
    <message>
        <source>In “{name}” {n:,} cells cannot be read as {what} and count as missing, first “{first}”.</source>
        <translation>In „{name}“ lassen sich {n:,} Zellen nicht als {what} lesen und zählen als fehlend, zuerst „{first}“.</translation>
    </message>
    <message>
        <source>“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as texts. Write all files with one type, or choose the type of the column.</source>
        <translation>„{name}“ hat in „{file}“ den Typ {one} und in „{further}“ den Typ {other}: Die Werte werden als Texte gelesen. Schreiben Sie alle Dateien mit einem Typ, oder wählen Sie den Typ der Spalte.</translation>
    </message>
    <message>
        <source>“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as numbers.</source>
        <translation>„{name}“ hat in „{file}“ den Typ {one} und in „{further}“ den Typ {other}: Die Werte werden als Zahlen gelesen.</translation>
    </message>
    <message>
        <source>“{name}” has the type {one} in “{file}” and {other} in “{further}”: its values are read as times in UTC.</source>
        <translation>„{name}“ hat in „{file}“ den Typ {one} und in „{further}“ den Typ {other}: Die Werte werden als Zeiten in UTC gelesen.</translation>
    </message>
    <message>
        <source>“{name}” has the type {one} in “{file}” and {other} in “{further}”, which cannot be one column: write all files with one type, or open them one by one.</source>
        <translation>„{name}“ hat in „{file}“ den Typ {one} und in „{further}“ den Typ {other}, was keine gemeinsame Spalte ergibt: Schreiben Sie alle Dateien mit einem Typ, oder öffnen Sie sie einzeln.</translation>
    </message>
    <message>
        <source>{file} can only be read into memory: it has blanks before quotation marks.</source>
        <translation>{file} kann nur in den Speicher gelesen werden: Leerzeichen stehen vor Anführungszeichen.</translation>
    </message>
    <message>
        <source>There is no table “{name}” in the database; it has {names}.</source>
        <translation>In der Datenbank gibt es keine Tabelle „{name}“; sie hat {names}.</translation>
    </message>
    <message>
        <source>{file} holds no table: choose another database.</source>
        <translation>{file} enthält keine Tabelle: eine andere Datenbank wählen.</translation>
    </message>
    <message>
        <source>{file} can only be read into memory: save it as Parquet or CSV first.</source>
        <translation>{file} kann nur in den Speicher gelesen werden: erst als Parquet oder CSV speichern.</translation>
    </message>
    <message>
        <source>{file} has columns whose names differ by case alone: rename them, or open this file alone.</source>
        <translation>{file} hat Spalten, deren Namen sich nur in Groß- und Kleinschreibung unterscheiden: umbenennen, oder diese Datei allein öffnen.</translation>
    </message>
    <message>
        <source>{file} can only be read into memory: save it as UTF-8 with commas, semicolons or tabs between cells.</source>
        <translation>{file} kann nur in den Speicher gelesen werden: als UTF-8 mit Kommas, Semikolons oder Tabulatoren zwischen den Zellen speichern.</translation>
    </message>
    <message>
        <source>{file} can only be read into memory: its lines do not all end alike, or one is longer than 2 MB.</source>
        <translation>{file} kann nur in den Speicher gelesen werden: die Zeilen enden nicht alle gleich, oder eine ist länger als 2 MB.</translation>
    </message>
    <message>
        <source>{file} is no database of DuckDB: choose a file that DuckDB has written.</source>
        <translation>{file} ist keine Datenbank von DuckDB: eine Datei wählen, die DuckDB geschrieben hat.</translation>
    </message>
    <message>
        <source>“{name}” is missing in {n} of {all} files, the first of which is {file}, and so in their rows.</source>
        <translation>„{name}“ fehlt in {n} von {all} Dateien, zuerst in {file}, und so in ihren Zeilen.</translation>
    </message>
    <message>
        <source>“{path}” is damaged, so some of its rows cannot be read: export it again, or use another copy.</source>
        <translation>„{path}“ ist beschädigt, sodass manche Zeilen nicht gelesen werden können: Exportieren Sie die Datei noch einmal, oder nehmen Sie eine andere Kopie.</translation>
    </message>
    <message>
        <source>The data are damaged, so some rows cannot be read: export them again, or use another copy.</source>
        <translation>Die Daten sind beschädigt, sodass manche Zeilen nicht gelesen werden können: Exportieren Sie sie noch einmal, oder nehmen Sie eine andere Kopie.</translation>
    </message>
    <message>
        <source>{file} is open in another program: close it there, or open a copy of the file.</source>
        <translation>{file} ist in einem anderen Programm geöffnet: Schließen Sie die Datei dort, oder öffnen Sie eine Kopie.</translation>
    </message>
    <message>
        <source>{file} was written by a newer DuckDB than the installed one, {version}: update DuckDB, or export the table as Parquet.</source>
        <translation>{file} wurde von einem neueren DuckDB als dem installierten, {version}, geschrieben: Aktualisieren Sie DuckDB, oder exportieren Sie die Tabelle als Parquet.</translation>
    </message>
    <message>
        <source>{file} is damaged: use another copy of it, or export the table again.</source>
        <translation>{file} ist beschädigt: Nehmen Sie eine andere Kopie, oder exportieren Sie die Tabelle noch einmal.</translation>
    </message>
    <message>
        <source>“{path}” is empty, damaged or no Parquet file: export it again, or move it out of the folder.</source>
        <translation>„{path}“ ist leer, beschädigt oder keine Parquet-Datei: Exportieren Sie die Datei noch einmal, oder nehmen Sie sie aus dem Ordner heraus.</translation>
    </message>
    <message>
        <source>Reading {label} was stopped.</source>
        <translation>Das Lesen von {label} wurde angehalten.</translation>
    </message>
    <message>
        <source>“{name}” has the type {one} in “{file}” and {other} in “{further}”: numbers of more than seven digits are rounded. Write all files with one type to keep them.</source>
        <translation>„{name}“ hat in „{file}“ den Typ {one} und in „{further}“ den Typ {other}: Zahlen mit mehr als sieben Ziffern werden gerundet. Schreiben Sie alle Dateien mit einem Typ, um sie zu behalten.</translation>
    </message>
    <message>
        <source>Drawing a sample</source>
        <translation>Stichprobe wird gezogen</translation>
    </message>
    <message>
        <source>Read {n} of {all} columns</source>
        <translation>{n} von {all} Spalten gelesen</translation>
    </message>
    <message>
        <source>There is no column “{name}”: the kind chosen for it was left aside.</source>
        <translation>Es gibt keine Spalte „{name}“: Die für sie gewählte Art blieb unbeachtet.</translation>
    </message>
    <message>
        <source>“{path}” cannot be written ({reason}): choose another place.</source>
        <translation>„{path}“ lässt sich nicht schreiben ({reason}): Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The file has no name: give one.</source>
        <translation>Die Datei hat keinen Namen: Geben Sie ihr einen.</translation>
    </message>
    <message>
        <source>“{path}” cannot be the name of a file: choose another one.</source>
        <translation>„{path}“ kann kein Dateiname sein: Wählen Sie einen anderen.</translation>
    </message>
    <message>
        <source>“{path}” is a folder: give the name of a file.</source>
        <translation>„{path}“ ist ein Ordner: Geben Sie den Namen einer Datei an.</translation>
    </message>
    <message>
        <source>“{path}” is a pipe, a socket or a device, and no file: give the name of a file.</source>
        <translation>„{path}“ ist eine Pipe, ein Socket oder ein Gerät und keine Datei: Geben Sie den Namen einer Datei an.</translation>
    </message>
    <message>
        <source>No file is named: choose a {what} file.</source>
        <translation>Keine Datei ist genannt: Wählen Sie eine {what}-Datei.</translation>
    </message>
    <message>
        <source>“{path}” is a folder: choose a {what} file.</source>
        <translation>„{path}“ ist ein Ordner: Wählen Sie eine {what}-Datei.</translation>
    </message>
    <message>
        <source>“{path}” is a pipe, a socket or a device, and no file: choose a {what} file.</source>
        <translation>„{path}“ ist eine Pipe, ein Socket oder ein Gerät und keine Datei: Wählen Sie eine {what}-Datei.</translation>
    </message>
    <message>
        <source>There is no file “{path}”.</source>
        <translation>Es gibt keine Datei „{path}“.</translation>
    </message>
    <message>
        <source>“{path}” cannot be read ({reason}).</source>
        <translation>„{path}“ lässt sich nicht lesen ({reason}).</translation>
    </message>
    <message>
        <source>“{path}” is no {what} file: it holds no text in UTF-8.</source>
        <translation>„{path}“ ist keine {what}-Datei: Sie enthält keinen Text in UTF-8.</translation>
    </message>
    <message>
        <source>“{path}” cannot be the name of a file: choose a {what} file.</source>
        <translation>„{path}“ kann kein Dateiname sein: Wählen Sie eine {what}-Datei.</translation>
    </message>
    <message>
        <source>“{name}” is JSON, but no Espalier {what}.</source>
        <translation>„{name}“ ist JSON, aber kein Espalier-{what}.</translation>
    </message>
    <message>
        <source>“{path}” is JSON, but no Espalier {what}.</source>
        <translation>„{path}“ ist JSON, aber kein Espalier-{what}.</translation>
    </message>
    <message>
        <source>“{path}” was written by a newer Espalier (version {found}); this one reads version {version}: update the program.</source>
        <translation>„{path}“ wurde von einem neueren Espalier geschrieben (Version {found}); dieses liest Version {version}: Aktualisieren Sie das Programm.</translation>
    </message>
    <message>
        <source>“{path}” names version {found} of the {what} format, which never was.</source>
        <translation>„{path}“ nennt Version {found} des Formats ({what}), die es nie gab.</translation>
    </message>
    <message>
        <source>“{path}” is empty.</source>
        <translation>„{path}“ ist leer.</translation>
    </message>
    <message>
        <source>“{path}” is cut off: its end is missing, so use another copy of the {what}.</source>
        <translation>„{path}“ ist abgeschnitten: Das Ende fehlt, verwenden Sie also eine andere Kopie ({what}).</translation>
    </message>
    <message>
        <source>“{path}” is no {what} file: it is not JSON.</source>
        <translation>„{path}“ ist keine {what}-Datei: Sie ist kein JSON.</translation>
    </message>
    <message>
        <source>There are {weights} weights for {numbers} numbers; give one for each, or none.</source>
        <translation>Es gibt {weights} Gewichte für {numbers} Zahlen; geben Sie eines für jede an, oder keines.</translation>
    </message>
    <message>
        <source>What a split gains</source>
        <translation>Was eine Teilung gewinnt</translation>
    </message>
    <message>
        <source>How columns are split</source>
        <translation>Wie Spalten geteilt werden</translation>
    </message>
    <message>
        <source>Which leaf is next</source>
        <translation>Welches Blatt als nächstes kommt</translation>
    </message>
    <message>
        <source>Where the tree stops</source>
        <translation>Wo der Baum aufhört</translation>
    </message>
    <message>
        <source>What leaves predict</source>
        <translation>Was Blätter vorhersagen</translation>
    </message>
    <message>
        <source>What makes a split good: how mixed a node is before and after.</source>
        <translation>Was eine Teilung gut macht: wie gemischt ein Knoten vorher und nachher ist.</translation>
    </message>
    <message>
        <source>gain = i(node) − Σ share of branch · i(branch)</source>
        <translation>Gewinn = i(Knoten) − Σ Anteil des Zweiges · i(Zweig)</translation>
    </message>
    <message>
        <source>Altered priors</source>
        <translation>Geänderte A-priori-Anteile</translation>
    </message>
    <message>
        <source>Priors and costs decide the splits as well as the labels: in the search each class weighs its prior times the sum of what its mistakes cost. Exact for two classes; for more it is the convention of CART and rpart. Limits and tests count rows as they are.</source>
        <translation>A-priori-Anteile und Kosten entscheiden über die Teilungen wie über die Vorhersagen: In der Suche wiegt jede Klasse ihren A-priori-Anteil mal die Summe dessen, was Fehler bei ihr kosten. Exakt bei zwei Klassen; bei mehr ist es die Konvention von CART und rpart. Grenzen und Tests zählen die Zeilen, wie sie sind.</translation>
    </message>
    <message>
        <source>w_c ∝ prior_c · Σ_j cost(c said to be j)</source>
        <translation>w_c ∝ prior_c · Σ_j Kosten(c als j vorhergesagt)</translation>
    </message>
    <message>
        <source>bad:good=5 — a row of bad counts five times as much as a row of good in every gain.</source>
        <translation>bad:good=5 — eine Zeile von bad zählt in jedem Gewinn fünfmal so viel wie eine Zeile von good.</translation>
    </message>
    <message>
        <source>leaves with priors or costs</source>
        <translation>Blätter mit A-priori-Anteilen oder Kosten</translation>
    </message>
    <message>
        <source>Bins of the target</source>
        <translation>Intervalle der Zielspalte</translation>
    </message>
    <message>
        <source>Into how many bins, of about equally many rows, a numeric target is divided for the binned criteria.</source>
        <translation>In wie viele Intervalle mit etwa gleich vielen Zeilen eine numerische Zielspalte für die Kriterien in Intervallen geteilt wird.</translation>
    </message>
    <message>
        <source>10 bins of a price: each leaf shows the shares of its rows in the ten price ranges.</source>
        <translation>10 Intervalle eines Preises: jedes Blatt zeigt die Anteile seiner Zeilen in den zehn Preisspannen.</translation>
    </message>
    <message>
        <source>the criteria of the binned target</source>
        <translation>die Kriterien der Zielspalte in Intervallen</translation>
    </message>
    <message>
        <source>Lookahead</source>
        <translation>Vorausschau</translation>
    </message>
    <message>
        <source>How many levels a split is judged by.</source>
        <translation>Nach wie vielen Ebenen eine Teilung beurteilt wird.</translation>
    </message>
    <message>
        <source>One level</source>
        <translation>Eine Ebene</translation>
    </message>
    <message>
        <source>A split is judged by its own branches (greedy).</source>
        <translation>Eine Teilung wird nach ihren eigenen Zweigen beurteilt (gierig).</translation>
    </message>
    <message>
        <source>A split is judged by the best that can follow in each of its branches; slower, and it sees what one level cannot. The second level may cut the same numbers again. Of a column with more than 255 values at a node the cuts at 254 quantiles are looked at; of one with more than 6 categories each against the rest and the groups along sorted levels, the rarest beyond 255 as one.</source>
        <translation>Eine Teilung wird nach dem Besten beurteilt, das in jedem ihrer Zweige folgen kann; langsamer, und es sieht, was eine Ebene nicht sieht. Die zweite Ebene darf dieselben Zahlen noch einmal schneiden. Bei einer Spalte mit mehr als 255 Werten im Knoten werden die Schnitte an 254 Quantilen angesehen; bei einer mit mehr als 6 Ausprägungen jede gegen die übrigen und die Gruppen entlang der sortierten Ausprägungen, die seltensten jenseits von 255 als eine.</translation>
    </message>
    <message>
        <source>gain = i(node) − Σ share of branch · i(branch after its best split)</source>
        <translation>Gewinn = i(Knoten) − Σ Anteil des Zweiges · i(Zweig nach seiner besten Teilung)</translation>
    </message>
    <message>
        <source>XOR and x₁·x₂ &gt; 0: no single split gains anything, two levels solve them.</source>
        <translation>XOR und x₁·x₂ &gt; 0: Keine einzelne Teilung gewinnt etwas, zwei Ebenen lösen sie.</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>How a column of numbers or dates is split.</source>
        <translation>Wie eine Spalte mit Zahlen oder Daten geteilt wird.</translation>
    </message>
    <message>
        <source>tables with a column of numbers or dates</source>
        <translation>Tabellen mit einer Spalte von Zahlen oder Daten</translation>
    </message>
    <message>
        <source>Every cut</source>
        <translation>Jeder Schnitt</translation>
    </message>
    <message>
        <source>In two, between any two neighbouring values present; exact.</source>
        <translation>In zwei, zwischen zwei beliebigen benachbarten vorhandenen Werten; exakt.</translation>
    </message>
    <message>
        <source>x ≤ t, t halfway between two values</source>
        <translation>x ≤ t, t in der Mitte zwischen zwei Werten</translation>
    </message>
    <message>
        <source>ages 20, 30, 40: cuts at 25 and 35.</source>
        <translation>Alter 20, 30, 40: Schnitte bei 25 und 35.</translation>
    </message>
    <message>
        <source>Label boundaries</source>
        <translation>Klassengrenzen</translation>
    </message>
    <message>
        <source>In two, only where the label changes between neighbouring values (and at the first and the last cut that the least rows in a branch allow): the same best cut, from fewer.</source>
        <translation>In zwei, nur wo die Klasse zwischen benachbarten Werten wechselt (und am ersten und letzten Schnitt, den die Mindestzahl Zeilen im Zweig erlaubt): derselbe beste Schnitt aus weniger.</translation>
    </message>
    <message>
        <source>labels a a b b b b b b: of seven cuts three are left, the first, a | b and the last.</source>
        <translation>Klassen a a b b b b b b: Von sieben Schnitten bleiben drei, der erste, a | b und der letzte.</translation>
    </message>
    <message>
        <source>Cuts at quantiles</source>
        <translation>Schnitte an Quantilen</translation>
    </message>
    <message>
        <source>In two, at the limits of k buckets of about equally many rows.</source>
        <translation>In zwei, an den Grenzen von k Intervallen mit etwa gleich vielen Zeilen.</translation>
    </message>
    <message>
        <source>x ≤ quantile j/k</source>
        <translation>x ≤ Quantil j/k</translation>
    </message>
    <message>
        <source>4 buckets: cuts at the quartiles of the node.</source>
        <translation>4 Intervalle: Schnitte an den Quartilen des Knotens.</translation>
    </message>
    <message>
        <source>A branch per bucket</source>
        <translation>Ein Zweig je Intervall</translation>
    </message>
    <message>
        <source>Into k branches of about equally many rows.</source>
        <translation>In k Zweige mit etwa gleich vielen Zeilen.</translation>
    </message>
    <message>
        <source>quantile (j−1)/k &lt; x ≤ quantile j/k</source>
        <translation>Quantil (j−1)/k &lt; x ≤ Quantil j/k</translation>
    </message>
    <message>
        <source>4 buckets of age: four branches.</source>
        <translation>4 Intervalle des Alters: vier Zweige.</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>Intervalle</translation>
    </message>
    <message>
        <source>How many buckets a numeric column is divided into at each node.</source>
        <translation>In wie viele Intervalle eine numerische Spalte an jedem Knoten geteilt wird.</translation>
    </message>
    <message>
        <source>Equal values stay together, so ties make fewer buckets.</source>
        <translation>Gleiche Werte bleiben zusammen; Gleichstände ergeben daher weniger Intervalle.</translation>
    </message>
    <message>
        <source>cuts at quantiles and a branch per bucket</source>
        <translation>Schnitte an Quantilen und ein Zweig je Intervall</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>Which number between two neighbouring values of a node becomes the threshold; the training rows are split alike.</source>
        <translation>Welche Zahl zwischen zwei benachbarten Werten eines Knotens zur Schwelle wird; die Trainingszeilen werden gleich geteilt.</translation>
    </message>
    <message>
        <source>Halfway between the two values.</source>
        <translation>In der Mitte zwischen den zwei Werten.</translation>
    </message>
    <message>
        <source>Observed value</source>
        <translation>Beobachteter Wert</translation>
    </message>
    <message>
        <source>The largest value of all training rows up to the midpoint (C4.5).</source>
        <translation>Der größte Wert aller Trainingszeilen bis zur Mitte (C4.5).</translation>
    </message>
    <message>
        <source>cut between 20 and 30, where other nodes have a 24: x ≤ 24.</source>
        <translation>Schnitt zwischen 20 und 30, wo andere Knoten eine 24 haben: x ≤ 24.</translation>
    </message>
    <message>
        <source>Penalty of cuts</source>
        <translation>Abzug für Schnitte</translation>
    </message>
    <message>
        <source>A cut pays for having been chosen among many: the more cuts a column allows, the more is taken off its gain before columns are compared, and one that gains no more than that is not split (C4.5).</source>
        <translation>Ein Schnitt zahlt dafür, unter vielen gewählt zu sein: Je mehr Schnitte eine Spalte erlaubt, desto mehr wird von ihrem Gewinn abgezogen, bevor Spalten verglichen werden, und eine, die nicht mehr als das gewinnt, wird nicht geteilt (C4.5).</translation>
    </message>
    <message>
        <source>gain − log₂(cuts allowed) ÷ rows</source>
        <translation>Gewinn − log₂(erlaubte Schnitte) ÷ Zeilen</translation>
    </message>
    <message>
        <source>64 cuts and 100 rows: 0.06 bits; one branch for each level pays nothing.</source>
        <translation>64 Schnitte und 100 Zeilen: 0.06 Bits; ein Zweig je Ausprägung zahlt nichts.</translation>
    </message>
    <message>
        <source>gains in bits: entropy and gain ratio</source>
        <translation>Gewinne in Bits: Entropie und Gewinnverhältnis</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>Kategorien</translation>
    </message>
    <message>
        <source>How a column of categories is split.</source>
        <translation>Wie eine Spalte mit Kategorien geteilt wird.</translation>
    </message>
    <message>
        <source>tables with a column of categories</source>
        <translation>Tabellen mit einer Spalte von Kategorien</translation>
    </message>
    <message>
        <source>In two: the best of all divisions of the levels into two groups; where those are too many to try (three or more classes and over 12 levels; medians and over 6), the best along sorted levels.</source>
        <translation>In zwei: die beste aller Aufteilungen der Ausprägungen in zwei Gruppen; wo das zu viele sind (drei oder mehr Klassen und über 12 Ausprägungen; Mediane und über 6), die beste entlang der sortierten Ausprägungen.</translation>
    </message>
    <message>
        <source>2^(levels − 1) − 1 divisions; for two classes and numbers sorting by the mean finds the best</source>
        <translation>2^(Ausprägungen − 1) − 1 Teilungen; bei zwei Klassen und bei Zahlen findet das Sortieren nach dem Mittelwert die beste</translation>
    </message>
    <message>
        <source>colour in {red, blue} | {green}.</source>
        <translation>Farbe in {red, blue} | {green}.</translation>
    </message>
    <message>
        <source>One branch per level</source>
        <translation>Ein Zweig je Ausprägung</translation>
    </message>
    <message>
        <source>One branch for each declared level; a branch may be empty (ID3, C4.5).</source>
        <translation>Ein Zweig für jede deklarierte Ausprägung; ein Zweig darf leer sein (ID3, C4.5).</translation>
    </message>
    <message>
        <source>outlook: sunny | overcast | rain.</source>
        <translation>outlook: sunny | overcast | rain.</translation>
    </message>
    <message>
        <source>In two: one level against all others; learned missing values on either side, or alone.</source>
        <translation>In zwei: eine Ausprägung gegen alle anderen; gelernte fehlende Werte auf einer der Seiten oder allein.</translation>
    </message>
    <message>
        <source>colour = red | any other.</source>
        <translation>Farbe = rot | jede andere.</translation>
    </message>
    <message>
        <source>Pool levels under</source>
        <translation>Ausprägungen zusammenfassen unter</translation>
    </message>
    <message>
        <source>Levels with fewer training rows than this at the node are treated as one level; 0 pools nothing.</source>
        <translation>Ausprägungen mit weniger Trainingszeilen im Knoten als dies werden wie eine behandelt; 0 fasst nichts zusammen.</translation>
    </message>
    <message>
        <source>10: the 300 shops with fewer than 10 rows go the same way.</source>
        <translation>10: die 300 Läden mit weniger als 10 Zeilen gehen denselben Weg.</translation>
    </message>
    <message>
        <source>m-of-n</source>
        <translation>m aus n</translation>
    </message>
    <message>
        <source>Also tries splits that ask whether at least m of n conditions hold, found by climbing from the best single condition; every cut and every level is a condition.</source>
        <translation>Prüft auch Teilungen, die fragen, ob mindestens m von n Bedingungen gelten, gefunden durch Aufstieg von der besten einzelnen Bedingung; jeder Schnitt und jede Ausprägung ist eine Bedingung.</translation>
    </message>
    <message>
        <source>(m of n) → (m of n+1) or (m+1 of n+1) while the gain rises</source>
        <translation>(m aus n) → (m aus n+1) oder (m+1 aus n+1), solange der Gewinn steigt</translation>
    </message>
    <message>
        <source>at least 2 of {fever, cough, age &gt; 60}.</source>
        <translation>mindestens 2 von {fever, cough, age &gt; 60}.</translation>
    </message>
    <message>
        <source>Where rows go whose value is missing.</source>
        <translation>Wohin Zeilen gehen, deren Wert fehlt.</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Gelernt</translation>
    </message>
    <message>
        <source>Into the branch that gains most, learned for each split.</source>
        <translation>In den Zweig, der am meisten gewinnt, gelernt für jede Teilung.</translation>
    </message>
    <message>
        <source>Own branch</source>
        <translation>Eigener Zweig</translation>
    </message>
    <message>
        <source>Into a branch of their own, wherever as many training rows of the node lack the value as a branch needs.</source>
        <translation>In einen eigenen Zweig, wo so vielen Trainingszeilen des Knotens der Wert fehlt, wie ein Zweig braucht.</translation>
    </message>
    <message>
        <source>income ≤ 40 | income &gt; 40 | missing.</source>
        <translation>Einkommen ≤ 40 | Einkommen &gt; 40 | fehlend.</translation>
    </message>
    <message>
        <source>Fractions</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>Into every branch, each with the share of the rows that have a value and go there; a split gains what it gains among the rows that have its value, times their share (C4.5).</source>
        <translation>In jeden Zweig, je mit dem Anteil der Zeilen, die einen Wert haben und dorthin gehen; eine Teilung gewinnt, was sie unter den Zeilen mit ihrem Wert gewinnt, mal deren Anteil (C4.5).</translation>
    </message>
    <message>
        <source>two of three rows with a value are below 40: a row without one counts ⅔ there.</source>
        <translation>Zwei von drei Zeilen mit Wert liegen unter 40: Eine Zeile ohne Wert zählt dort ⅔.</translation>
    </message>
    <message>
        <source>Surrogates</source>
        <translation>Ersatzteilungen</translation>
    </message>
    <message>
        <source>By the split of another column that agrees most with this one, up to five in turn, then into the larger branch; a split gains what it gains among the rows that have its value, times their share. Splits into more than two branches learn where they go.</source>
        <translation>Durch die Teilung einer anderen Spalte, die am besten mit dieser übereinstimmt, bis zu fünf nacheinander, dann in den größeren Zweig; eine Teilung gewinnt, was sie bei den Zeilen mit Wert gewinnt, mal deren Anteil. Teilungen in mehr als zwei Zweige lernen, wohin sie gehen.</translation>
    </message>
    <message>
        <source>(agreement − majority) ÷ (1 − majority)</source>
        <translation>(Übereinstimmung − Mehrheit) ÷ (1 − Mehrheit)</translation>
    </message>
    <message>
        <source>income ≤ 40, where missing: rent ≤ 900, else children ≤ 1 …</source>
        <translation>Einkommen ≤ 40, wo es fehlt: Miete ≤ 900, sonst Kinder ≤ 1 …</translation>
    </message>
    <message>
        <source>Surrogates by</source>
        <translation>Ersatzteilungen nach</translation>
    </message>
    <message>
        <source>Of which rows the agreement of a surrogate is a share, where its column lacks values, too.</source>
        <translation>Von welchen Zeilen die Übereinstimmung einer Ersatzteilung ein Anteil ist, wenn auch in ihrer Spalte Werte fehlen.</translation>
    </message>
    <message>
        <source>missing values by surrogates</source>
        <translation>fehlende Werte durch Ersatzteilungen</translation>
    </message>
    <message>
        <source>Rows with both values</source>
        <translation>Zeilen mit beiden Werten</translation>
    </message>
    <message>
        <source>Rows that lack the value of the surrogate do not count.</source>
        <translation>Zeilen, denen der Wert der Ersatzteilung fehlt, zählen nicht.</translation>
    </message>
    <message>
        <source>All rows with the value</source>
        <translation>Alle Zeilen mit dem Wert</translation>
    </message>
    <message>
        <source>Rows that lack the value of the surrogate disagree: columns with many gaps come later (rpart).</source>
        <translation>Zeilen, denen der Wert der Ersatzteilung fehlt, stimmen nicht überein: Spalten mit vielen Lücken kommen später (rpart).</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Which leaf is split next; without a limit of leaves all orders end alike.</source>
        <translation>Welches Blatt als nächstes geteilt wird; ohne Höchstzahl der Blätter enden alle Reihenfolgen gleich.</translation>
    </message>
    <message>
        <source>Depth first</source>
        <translation>Tiefe zuerst</translation>
    </message>
    <message>
        <source>One branch down to its end, then the next.</source>
        <translation>Ein Zweig bis an sein Ende, dann der nächste.</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>Bestes zuerst</translation>
    </message>
    <message>
        <source>The leaf whose best split lowers the impurity of the whole tree most.</source>
        <translation>Das Blatt, dessen beste Teilung die Unreinheit des ganzen Baumes am meisten senkt.</translation>
    </message>
    <message>
        <source>share of the leaf · gain</source>
        <translation>Anteil des Blattes · Gewinn</translation>
    </message>
    <message>
        <source>at most t + 1 leaves: the tree of Kearns and Mansour after t steps.</source>
        <translation>höchstens t + 1 Blätter: der Baum von Kearns und Mansour nach t Schritten.</translation>
    </message>
    <message>
        <source>By level</source>
        <translation>Nach Ebene</translation>
    </message>
    <message>
        <source>All leaves of one level before the next.</source>
        <translation>Alle Blätter einer Ebene vor der nächsten.</translation>
    </message>
    <message>
        <source>Maximum depth</source>
        <translation>Höchsttiefe</translation>
    </message>
    <message>
        <source>At most this many edges from the root to the deepest leaf.</source>
        <translation>Höchstens so viele Kanten von der Wurzel bis zum tiefsten Blatt.</translation>
    </message>
    <message>
        <source>Maximum leaves</source>
        <translation>Höchstzahl Blätter</translation>
    </message>
    <message>
        <source>The whole tree has at most this many leaves; the order decides which are split.</source>
        <translation>Der ganze Baum hat höchstens so viele Blätter; die Reihenfolge entscheidet, welche geteilt werden.</translation>
    </message>
    <message>
        <source>Minimum rows to split</source>
        <translation>Mindestzahl Zeilen zum Teilen</translation>
    </message>
    <message>
        <source>A node of fewer training rows stays a leaf.</source>
        <translation>Ein Knoten mit weniger Trainingszeilen bleibt ein Blatt.</translation>
    </message>
    <message>
        <source>Minimum rows in a branch</source>
        <translation>Mindestzahl Zeilen im Zweig</translation>
    </message>
    <message>
        <source>Every branch keeps at least this many training rows.</source>
        <translation>Jeder Zweig behält mindestens so viele Trainingszeilen.</translation>
    </message>
    <message>
        <source>That minimum holds in</source>
        <translation>Diese Mindestzahl gilt in</translation>
    </message>
    <message>
        <source>Of a split into many branches, how many of them need the minimum rows in a branch.</source>
        <translation>Wie viele Zweige einer Teilung in viele Zweige die Mindestzahl Zeilen im Zweig brauchen.</translation>
    </message>
    <message>
        <source>Every branch</source>
        <translation>Jeder Zweig</translation>
    </message>
    <message>
        <source>Every branch that has rows needs as many.</source>
        <translation>Jeder Zweig, der Zeilen hat, braucht so viele.</translation>
    </message>
    <message>
        <source>Two branches</source>
        <translation>Zwei Zweige</translation>
    </message>
    <message>
        <source>Two of the branches need as many; the others may have fewer, or none (C4.5).</source>
        <translation>Zwei der Zweige brauchen so viele; die anderen dürfen weniger haben, oder keine (C4.5).</translation>
    </message>
    <message>
        <source>minimum 5, branches of 8, 6 and 1 rows: allowed.</source>
        <translation>mindestens 5, Zweige mit 8, 6 und 1 Zeilen: erlaubt.</translation>
    </message>
    <message>
        <source>Minimum rows beside a cut</source>
        <translation>Mindestzahl Zeilen neben einem Schnitt</translation>
    </message>
    <message>
        <source>How many rows a cut of numbers has to leave on either side.</source>
        <translation>Wie viele Zeilen ein Schnitt von Zahlen auf jeder Seite lassen muss.</translation>
    </message>
    <message>
        <source>As in a branch</source>
        <translation>Wie im Zweig</translation>
    </message>
    <message>
        <source>As many as every branch keeps.</source>
        <translation>So viele, wie jeder Zweig behält.</translation>
    </message>
    <message>
        <source>A tenth for each class</source>
        <translation>Ein Zehntel je Klasse</translation>
    </message>
    <message>
        <source>A tenth of the rows for each class, at most 25; never fewer than every branch keeps (C4.5).</source>
        <translation>Ein Zehntel der Zeilen je Klasse, höchstens 25; nie weniger, als jeder Zweig behält (C4.5).</translation>
    </message>
    <message>
        <source>0.1 · n ÷ K, n rows with a value, K classes</source>
        <translation>0.1 · n ÷ K, n Zeilen mit einem Wert, K Klassen</translation>
    </message>
    <message>
        <source>300 rows, two classes: 15 rows.</source>
        <translation>300 Zeilen, zwei Klassen: 15 Zeilen.</translation>
    </message>
    <message>
        <source>Minimum gain</source>
        <translation>Mindestgewinn</translation>
    </message>
    <message>
        <source>A split has to gain at least this much; 0 admits splits that gain nothing yet.</source>
        <translation>Eine Teilung muss mindestens so viel gewinnen; 0 lässt Teilungen zu, die noch nichts gewinnen.</translation>
    </message>
    <message>
        <source>XOR: no first split gains, so with a minimum gain above 0 growing is stuck at error ½.</source>
        <translation>XOR: Keine erste Teilung gewinnt, also bleibt das Wachsen bei einem Mindestgewinn über 0 bei Fehler ½ stehen.</translation>
    </message>
    <message>
        <source>Complexity (cp)</source>
        <translation>Komplexität (cp)</translation>
    </message>
    <message>
        <source>A split, with all that grows below it, has to lower the training error by more than this share of the root&apos;s for every leaf it adds; 0 keeps every split.</source>
        <translation>Eine Teilung mit allem, was darunter wächst, muss den Trainingsfehler je hinzugefügtem Blatt um mehr als diesen Anteil des Fehlers der Wurzel senken; 0 behält jede Teilung.</translation>
    </message>
    <message>
        <source>(R(t) − R(branch)) ÷ (leaves − 1) &gt; cp · R(root)</source>
        <translation>(R(t) − R(Zweig)) ÷ (Blätter − 1) &gt; cp · R(Wurzel)</translation>
    </message>
    <message>
        <source>0.01: of 100 errors at the root each further leaf has to save more than one.</source>
        <translation>0.01: von 100 Fehlern der Wurzel muss jedes weitere Blatt mehr als einen ersparen.</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>A split is taken back if, with all that grows below it, it labels no more training rows rightly than a leaf would (C4.5).</source>
        <translation>Eine Teilung wird zurückgenommen, wenn sie mit allem, was unter ihr wächst, nicht mehr Trainingszeilen richtig vorhersagt, als ein Blatt es täte (C4.5).</translation>
    </message>
    <message>
        <source>A split has to be this significant: the p-value of χ² or F, adjusted for the search over cuts, groups and columns, is at most this. The candidates show the p-value of their column as LogWorth = −log₁₀ p.</source>
        <translation>Eine Teilung muss so signifikant sein: Der p-Wert von χ² oder F, angepasst an die Suche über Schnitte, Gruppen und Spalten, ist höchstens so groß. Die Kandidaten zeigen den p-Wert ihrer Spalte als LogWorth = −log₁₀ p.</translation>
    </message>
    <message>
        <source>p · number of columns ≤ α: LogWorth ≥ log₁₀(number of columns ÷ α)</source>
        <translation>p · Anzahl der Spalten ≤ α: LogWorth ≥ log₁₀(Anzahl der Spalten ÷ α)</translation>
    </message>
    <message>
        <source>0.05: on pure noise 19 of 20 trees stay a single leaf.</source>
        <translation>0.05: bei reinem Rauschen bleiben 19 von 20 Bäumen ein einziges Blatt.</translation>
    </message>
    <message>
        <source>Significance by</source>
        <translation>Signifikanz nach</translation>
    </message>
    <message>
        <source>Which p-value is compared with the significance.</source>
        <translation>Welcher p-Wert mit der Signifikanz verglichen wird.</translation>
    </message>
    <message>
        <source>growing with a significance</source>
        <translation>das Wachsen mit einer Signifikanz</translation>
    </message>
    <message>
        <source>Adjusted p-value</source>
        <translation>Angepasster p-Wert</translation>
    </message>
    <message>
        <source>Adjusted for the search over cuts and groups, and for the number of columns.</source>
        <translation>An die Suche über Schnitte und Gruppen und an die Zahl der Spalten angepasst.</translation>
    </message>
    <message>
        <source>Unadjusted p-value</source>
        <translation>Nicht angepasster p-Wert</translation>
    </message>
    <message>
        <source>The p-value of χ² or F as if nothing else had been looked at, as ID3 (Quinlan 1986) tests; columns that fail are passed over.</source>
        <translation>Der p-Wert von χ² oder F, als wäre sonst nichts angesehen worden, so wie ID3 (Quinlan 1986) prüft; Spalten, die nicht bestehen, werden übergangen.</translation>
    </message>
    <message>
        <source>χ² = Σ (counted − expected)² ÷ expected</source>
        <translation>χ² = Σ (gezählt − erwartet)² ÷ erwartet</translation>
    </message>
    <message>
        <source>A leaf predicts</source>
        <translation>Ein Blatt sagt vorher</translation>
    </message>
    <message>
        <source>What a leaf predicts.</source>
        <translation>Was ein Blatt vorhersagt.</translation>
    </message>
    <message>
        <source>The majority</source>
        <translation>Die Mehrheit</translation>
    </message>
    <message>
        <source>The class with the most training rows (or the least expected cost).</source>
        <translation>Die Klasse mit den meisten Trainingszeilen (oder den kleinsten erwarteten Kosten).</translation>
    </message>
    <message>
        <source>The mean</source>
        <translation>Der Mittelwert</translation>
    </message>
    <message>
        <source>The mean of its training rows: least squared error.</source>
        <translation>Der Mittelwert seiner Trainingszeilen: kleinster quadratischer Fehler.</translation>
    </message>
    <message>
        <source>The median</source>
        <translation>Der Median</translation>
    </message>
    <message>
        <source>The median of its training rows: least absolute error.</source>
        <translation>Der Median seiner Trainingszeilen: kleinster absoluter Fehler.</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Of two classes, from which probability on one of them is predicted; costs go on pricing mistakes, but decide no longer what a leaf predicts.</source>
        <translation>Bei zwei Klassen: ab welcher Wahrscheinlichkeit eine von ihnen vorhergesagt wird; Kosten bewerten weiterhin die Fehler, entscheiden aber nicht mehr, was ein Blatt vorhersagt.</translation>
    </message>
    <message>
        <source>label = c where p_c ≥ t</source>
        <translation>Vorhersage = c, wo p_c ≥ t</translation>
    </message>
    <message>
        <source>yes=0.2 — a leaf predicts yes from 20 % on.</source>
        <translation>yes=0.2 — ein Blatt sagt ab 20 % yes vorher.</translation>
    </message>
    <message>
        <source>the least expected cost</source>
        <translation>kleinste erwartete Kosten</translation>
    </message>
    <message>
        <source>Profits</source>
        <translation>Erträge</translation>
    </message>
    <message>
        <source>What acting on a row earns, by its class: a leaf is acted on where that earns more than not acting, which earns 0 unless a second number says otherwise. Labels and splits stay as they are.</source>
        <translation>Was es bringt, bei einer Zeile zu handeln, nach ihrer Klasse: Bei einem Blatt wird gehandelt, wo das mehr bringt, als nicht zu handeln; das bringt 0, wenn keine zweite Zahl etwas anderes sagt. Vorhersagen und Teilungen bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>act if Σ_c p_c · profit(c) &gt; Σ_c p_c · profit(c, not acting)</source>
        <translation>handeln, wenn Σ_c p_c · Ertrag(c) &gt; Σ_c p_c · Ertrag(c, nicht handeln)</translation>
    </message>
    <message>
        <source>good=120, bad=-500 — a loan to a good customer earns 120, one to a bad customer loses 500.</source>
        <translation>good=120, bad=-500 — ein Kredit an einen guten Kunden bringt 120, einer an einen schlechten verliert 500.</translation>
    </message>
    <message>
        <source>no profits</source>
        <translation>keine Erträge</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>The word that stands behind profits.</source>
        <translation>Das Wort, das hinter Erträgen steht.</translation>
    </message>
    <message>
        <source>EUR</source>
        <translation>EUR</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>leaves with profits</source>
        <translation>Blätter mit Erträgen</translation>
    </message>
    <message>
        <source>Probabilities</source>
        <translation>Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>How a leaf&apos;s class shares become probabilities.</source>
        <translation>Wie aus den Klassenanteilen eines Blattes Wahrscheinlichkeiten werden.</translation>
    </message>
    <message>
        <source>The shares of its training rows.</source>
        <translation>Die Anteile seiner Trainingszeilen.</translation>
    </message>
    <message>
        <source>3 of 3 rows: 100 %.</source>
        <translation>3 von 3 Zeilen: 100 %.</translation>
    </message>
    <message>
        <source>Laplace</source>
        <translation>Laplace</translation>
    </message>
    <message>
        <source>One row more of every class, so that small leaves promise less.</source>
        <translation>Eine Zeile mehr von jeder Klasse, damit kleine Blätter weniger versprechen.</translation>
    </message>
    <message>
        <source>3 of 3 rows, two classes: 80 %.</source>
        <translation>3 von 3 Zeilen, zwei Klassen: 80 %.</translation>
    </message>
    <message>
        <source>m-estimate</source>
        <translation>m-Schätzer</translation>
    </message>
    <message>
        <source>m rows more, divided as in the root.</source>
        <translation>m Zeilen mehr, aufgeteilt wie in der Wurzel.</translation>
    </message>
    <message>
        <source>3 of 3 rows, root share 50 %, m = 2: 80 %.</source>
        <translation>3 von 3 Zeilen, Anteil an der Wurzel 50 %, m = 2: 80 %.</translation>
    </message>
    <message>
        <source>From validation rows</source>
        <translation>Aus Validierungszeilen</translation>
    </message>
    <message>
        <source>The m-estimate from the leaf&apos;s validation rows, which did not choose its splits; what the leaf predicts stays that of its training rows, and may be another class. Validation rows cannot judge these probabilities: keep test rows.</source>
        <translation>Die m-Schätzung aus den Validierungszeilen des Blatts, die seine Teilungen nicht gewählt haben; was das Blatt vorhersagt, bestimmen weiter die Trainingszeilen, und es kann eine andere Klasse sein. Validierungszeilen können diese Wahrscheinlichkeiten nicht beurteilen: Halten Sie Testzeilen zurück.</translation>
    </message>
    <message>
        <source>3 of 3 training and 6 of 10 validation rows, root share 50 %, m = 2: 58 %.</source>
        <translation>3 von 3 Trainings- und 6 von 10 Validierungszeilen, Anteil in der Wurzel 50 %, m = 2: 58 %.</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>How many rows of the root the m-estimate adds to a leaf.</source>
        <translation>Wie viele Zeilen der Wurzel der m-Schätzer einem Blatt hinzufügt.</translation>
    </message>
    <message>
        <source>the m-estimate</source>
        <translation>den m-Schätzer</translation>
    </message>
    <message>
        <source>Priors</source>
        <translation>A-priori-Anteile</translation>
    </message>
    <message>
        <source>How frequent the classes are where the tree will be used, if not as in the training rows: they reweigh the shares that decide a leaf&apos;s label.</source>
        <translation>Wie häufig die Klassen dort sind, wo der Baum verwendet wird, wenn nicht wie in den Trainingszeilen: Sie gewichten die Anteile neu, die über die Vorhersage eines Blattes entscheiden.</translation>
    </message>
    <message>
        <source>p_c ∝ prior_c · n_c ÷ N_c</source>
        <translation>p_c ∝ prior_c · n_c ÷ N_c</translation>
    </message>
    <message>
        <source>fraud=0.01, fine=0.99</source>
        <translation>fraud=0.01, fine=0.99</translation>
    </message>
    <message>
        <source>as in the training rows</source>
        <translation>wie in den Trainingszeilen</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>What each mistake costs: a leaf predicts the class of the least expected cost.</source>
        <translation>Was jeder Fehler kostet: Ein Blatt sagt die Klasse mit den kleinsten erwarteten Kosten vorher.</translation>
    </message>
    <message>
        <source>label = argmin_j Σ_c p_c · cost(c said to be j)</source>
        <translation>Vorhersage = argmin_j Σ_c p_c · Kosten(c als j vorhergesagt)</translation>
    </message>
    <message>
        <source>bad:good=5 — to call a bad one good costs 5, other mistakes 1.</source>
        <translation>bad:good=5 — bad als good vorherzusagen kostet 5, andere Fehler 1.</translation>
    </message>
    <message>
        <source>every mistake costs 1</source>
        <translation>jeder Fehler kostet 1</translation>
    </message>
    <message>
        <source>all values are missing here</source>
        <translation>alle Werte fehlen hier</translation>
    </message>
    <message>
        <source>no training rows here</source>
        <translation>keine Trainingszeilen hier</translation>
    </message>
    <message>
        <source>{n:,} levels are too many for one branch each</source>
        <translation>{n:,} Ausprägungen sind zu viele für je einen Zweig</translation>
    </message>
    <message>
        <source>only one value here</source>
        <translation>nur ein Wert hier</translation>
    </message>
    <message>
        <source>fewer than two branches would have {n} rows</source>
        <translation>weniger als zwei Zweige hätten {n} Zeilen</translation>
    </message>
    <message>
        <source>the sums of the target or of the weights are too large for a number</source>
        <translation>die Summen der Zielspalte oder der Gewichte sind zu groß für eine Zahl</translation>
    </message>
    <message>
        <source>all levels have fewer than {n} rows here</source>
        <translation>alle Ausprägungen haben hier weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>fewer than two buckets here</source>
        <translation>weniger als zwei Intervalle hier</translation>
    </message>
    <message>
        <source>{n:,} branches are too many: at most {most:,} can be made</source>
        <translation>{n:,} Zweige sind zu viele: Höchstens {most:,} lassen sich machen</translation>
    </message>
    <message>
        <source>a branch would have fewer than {n} rows</source>
        <translation>ein Zweig hätte weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>every cut leaves fewer than {n} rows on one side</source>
        <translation>jeder Schnitt lässt auf einer Seite weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>every level against the rest leaves fewer than {n} rows on one side</source>
        <translation>jede Ausprägung gegen die übrigen lässt auf einer Seite weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>every grouping leaves fewer than {n} rows on one side</source>
        <translation>jede Gruppierung lässt auf einer Seite weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>the best cut gains {gain}, no more than the penalty for its choice, {price}</source>
        <translation>der beste Schnitt gewinnt {gain}, nicht mehr als den Abzug für seine Wahl, {price}</translation>
    </message>
    <message>
        <source>every split leaves fewer than {n} rows on one side</source>
        <translation>jede Teilung lässt auf einer Seite weniger als {n} Zeilen</translation>
    </message>
    <message>
        <source>m of n conditions</source>
        <translation>m aus n Bedingungen</translation>
    </message>
    <message>
        <source>There is no option “{name}”; the options are {names}.</source>
        <translation>Es gibt keine Option „{name}“; die Optionen sind {names}.</translation>
    </message>
    <message>
        <source>There is no preset “{preset}”; choose one of {presets}.</source>
        <translation>Es gibt keine Voreinstellung „{preset}“; möglich sind {presets}.</translation>
    </message>
    <message>
        <source>Only for {what}.</source>
        <translation>Nur für {what}.</translation>
    </message>
    <message>
        <source>{name} cannot be “{value}”; choose one of {names}.</source>
        <translation>{name} kann nicht „{value}“ sein; möglich sind {names}.</translation>
    </message>
    <message>
        <source>{name} cannot be {value}; it is True or False.</source>
        <translation>{name} kann nicht {value} sein; es ist True oder False.</translation>
    </message>
    <message>
        <source>For whatever is random.</source>
        <translation>Für alles Zufällige.</translation>
    </message>
    <message>
        <source>Columns that are not searched.</source>
        <translation>Spalten, die nicht durchsucht werden.</translation>
    </message>
    <message>
        <source>Columns per node</source>
        <translation>Spalten je Knoten</translation>
    </message>
    <message>
        <source>How many columns are drawn at random and searched at each node; 0 searches all.</source>
        <translation>Wie viele Spalten in jedem Knoten zufällig gezogen und durchsucht werden; 0 durchsucht alle.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>How many threads may count.</source>
        <translation>Wie viele Threads zählen dürfen.</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>{name} is about classes; the target is numeric.</source>
        <translation>{name} handelt von Klassen; die Zielspalte ist numerisch.</translation>
    </message>
    <message>
        <source>numeric cannot be “boundary_cuts” for a numeric target: its label changes everywhere.</source>
        <translation>numeric kann bei einer numerischen Zielspalte nicht „boundary_cuts“ sein: Ihr Wert wechselt überall.</translation>
    </message>
    <message>
        <source>{name} cannot go with {criterion}: medians do not add up; choose {usual}.</source>
        <translation>{name} verträgt sich nicht mit {criterion}: Mediane lassen sich nicht addieren; wählen Sie {usual}.</translation>
    </message>
    <message>
        <source>lookahead 2 cannot go with {criterion}: a p-value is of one split; choose {usual}.</source>
        <translation>lookahead 2 geht nicht mit {criterion} zusammen: Ein p-Wert gilt einer Teilung; wählen Sie {usual}.</translation>
    </message>
    <message>
        <source>lookahead 2 cannot go with {name}: two levels are compared by their gains alone.</source>
        <translation>Vorausschau 2 geht nicht mit {name}: Zwei Ebenen werden nur nach ihren Gewinnen verglichen.</translation>
    </message>
    <message>
        <source>lookahead 2 and m_of_n cannot go together; choose one of them.</source>
        <translation>lookahead 2 und m_of_n gehen nicht zusammen; wählen Sie eines davon.</translation>
    </message>
    <message>
        <source>lookahead 2 and missing “surrogate” cannot go together: surrogates are found one split at a time.</source>
        <translation>lookahead 2 und missing „surrogate“ gehen nicht zusammen: Ersatzteilungen werden eine Teilung nach der anderen gesucht.</translation>
    </message>
    <message>
        <source>{name} and missing “fractional” cannot go together: it counts whole rows.</source>
        <translation>{name} und missing „fractional“ passen nicht zusammen: Es zählt ganze Zeilen.</translation>
    </message>
    <message>
        <source>columns_per_node cannot go with {name} “{value}”: random columns are drawn by the usual search only.</source>
        <translation>columns_per_node geht nicht mit {name} „{value}“ zusammen: Zufällige Spalten zieht nur die gewöhnliche Suche.</translation>
    </message>
    <message>
        <source>significance cannot be {significance:g}; it is a p-value, at most 1.</source>
        <translation>significance kann nicht {significance:g} sein; es ist ein p-Wert, höchstens 1.</translation>
    </message>
    <message>
        <source>locked cannot be {wrong}; it is the names of columns.</source>
        <translation>locked kann nicht {wrong} sein; es sind die Namen von Spalten.</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>ganze Zahl</translation>
    </message>
    <message>
        <source>{option} cannot be {value}; it is {what} from {least} to {most}.</source>
        <translation>{option} kann nicht {value} sein; es ist {what} von {least} bis {most}.</translation>
    </message>
    <message>
        <source>{option} cannot be {value}; it is {what} of at least {least}.</source>
        <translation>{option} kann nicht {value} sein; es ist {what}, mindestens {least}.</translation>
    </message>
    <message>
        <source>{option} cannot be {value}; it is {what}.</source>
        <translation>{option} kann nicht {value} sein; es ist {what}.</translation>
    </message>
    <message>
        <source>The kind of column “{name}” is {kind} now, so a split by levels no longer fits it.</source>
        <translation>Die Art der Spalte „{name}“ ist jetzt {kind}, also passt eine Teilung nach Ausprägungen nicht mehr zu ihr.</translation>
    </message>
    <message>
        <source>The kind of column “{name}” is {kind} now, so a split by thresholds no longer fits it.</source>
        <translation>Die Art der Spalte „{name}“ ist jetzt {kind}, also passt eine Teilung nach Schwellen nicht mehr zu ihr.</translation>
    </message>
    <message>
        <source>“{condition}” is no condition that can be read: write one like {example}.</source>
        <translation>„{condition}“ ist keine lesbare Bedingung: Schreiben Sie eine wie {example}.</translation>
    </message>
    <message>
        <source>“{column}” has no numbers, so nothing can be added to it or multiplied by it.</source>
        <translation>„{column}“ hat keine Zahlen, also lässt sich nichts addieren oder multiplizieren.</translation>
    </message>
    <message>
        <source>“{column}” has no numbers: compare it with a level, not with another column.</source>
        <translation>„{column}“ hat keine Zahlen: Vergleichen Sie sie mit einer Ausprägung, nicht mit einer anderen Spalte.</translation>
    </message>
    <message>
        <source>“{column}” alone is no condition: compare it with a value, as in {example}.</source>
        <translation>„{column}“ allein ist keine Bedingung: Vergleichen Sie sie mit einem Wert, wie in {example}.</translation>
    </message>
    <message>
        <source>“{column}” has no order of levels, so nothing of it is smaller or larger: use == or in.</source>
        <translation>„{column}“ hat keine Ordnung der Ausprägungen, also ist nichts davon kleiner oder größer: Verwenden Sie == oder in.</translation>
    </message>
    <message>
        <source>“{column}” has no level “{level}”, so nothing of it is smaller or larger: use == or in.</source>
        <translation>„{column}“ hat keine Ausprägung „{level}“, also ist nichts davon kleiner oder größer: Verwenden Sie == oder in.</translation>
    </message>
    <message>
        <source>“{column}” is compared with a date in quotes, as in &quot;2024-12-31&quot;, not with “{word}”.</source>
        <translation>„{column}“ wird mit einem Datum in Anführungszeichen verglichen, wie in &quot;2024-12-31&quot;, nicht mit „{word}“.</translation>
    </message>
    <message>
        <source>“{column}” is compared with a number, not with “{word}”.</source>
        <translation>„{column}“ wird mit einer Zahl verglichen, nicht mit „{word}“.</translation>
    </message>
    <message>
        <source>“{column}” holds dates, and “{text}” is none: write one like 2024-12-31, or 2024-12-31 18:30.</source>
        <translation>„{column}“ enthält Daten, und „{text}“ ist keines: Schreiben Sie eines wie 2024-12-31, oder 2024-12-31 18:30.</translation>
    </message>
    <message>
        <source>A pandas query cannot name the column “{name}”: rename it, or copy the path as text.</source>
        <translation>Eine pandas-Abfrage kann die Spalte „{name}“ nicht nennen: Benennen Sie sie um, oder kopieren Sie den Pfad als Text.</translation>
    </message>
    <message>
        <source>A pandas query does not tell the columns “{one}” and “{other}” apart: rename one of them, or copy the path as text.</source>
        <translation>Eine pandas-Abfrage unterscheidet die Spalten „{one}“ und „{other}“ nicht: Benennen Sie eine davon um, oder kopieren Sie den Pfad als Text.</translation>
    </message>
    <message>
        <source>A surrogate by “{column}” needs one threshold or two groups of levels.</source>
        <translation>Eine Ersatzteilung nach „{column}“ braucht eine Schwelle oder zwei Gruppen von Ausprägungen.</translation>
    </message>
    <message>
        <source>A surrogate by “{name}” cannot have surrogates of its own.</source>
        <translation>Eine Ersatzteilung nach „{name}“ kann keine eigenen Ersatzteilungen haben.</translation>
    </message>
    <message>
        <source>A surrogate by “{name}” is flipped or not, True or False.</source>
        <translation>Eine Ersatzteilung nach „{name}“ ist umgedreht oder nicht, True oder False.</translation>
    </message>
    <message>
        <source>A split of “{column}” by {kind} has no literals: leave m and literals out.</source>
        <translation>Eine Teilung von „{column}“ nach {kind} hat keine Literale: Lassen Sie m und Literale weg.</translation>
    </message>
    <message>
        <source>A split of “{column}” needs ascending thresholds, not {thresholds}.</source>
        <translation>Eine Teilung von „{column}“ braucht aufsteigende Schwellen, nicht {thresholds}.</translation>
    </message>
    <message>
        <source>A split of “{column}” needs two or more groups that share no level.</source>
        <translation>Eine Teilung von „{column}“ braucht zwei oder mehr Gruppen, die keine Ausprägung gemeinsam haben.</translation>
    </message>
    <message>
        <source>“{kind}” is no kind of split; it is threshold, groups or m_of_n.</source>
        <translation>„{kind}“ ist keine Art von Teilung; möglich sind threshold, groups und m_of_n.</translation>
    </message>
    <message>
        <source>A split of “{column}” sends rows into a branch that it does not have.</source>
        <translation>Eine Teilung von „{column}“ schickt Zeilen in einen Zweig, den sie nicht hat.</translation>
    </message>
    <message>
        <source>Only a split by one threshold or two groups has surrogates, not this of “{column}”.</source>
        <translation>Nur eine Teilung durch eine Schwelle oder zwei Gruppen hat Ersatzteilungen, nicht diese von „{column}“.</translation>
    </message>
    <message>
        <source>A split and its surrogates look at different columns, not at “{twice}” twice.</source>
        <translation>Eine Teilung und ihre Ersatzteilungen sehen verschiedene Spalten an, nicht zweimal „{twice}“.</translation>
    </message>
    <message>
        <source>An m-of-n split needs at least one literal.</source>
        <translation>Eine m-aus-n-Teilung braucht mindestens ein Literal.</translation>
    </message>
    <message>
        <source>“{test}” is no test of a literal; it is one of {tests}.</source>
        <translation>„{test}“ ist kein Test eines Literals; möglich sind {tests}.</translation>
    </message>
    <message>
        <source>The test {test} of “{column}” needs the name of a level, not “{value}”.</source>
        <translation>Der Test {test} von „{column}“ braucht den Namen einer Ausprägung, nicht „{value}“.</translation>
    </message>
    <message>
        <source>The test {test} of “{column}” needs a number, not “{value}”.</source>
        <translation>Der Test {test} von „{column}“ braucht eine Zahl, nicht „{value}“.</translation>
    </message>
    <message>
        <source>An m-of-n split cannot ask “{literal}” twice.</source>
        <translation>Eine m-aus-n-Teilung kann „{literal}“ nicht zweimal fragen.</translation>
    </message>
    <message>
        <source>At least {m} of {n} literals cannot hold; m is a whole number from 1 to {n}.</source>
        <translation>Mindestens {m} von {n} Literalen können nicht gelten; m ist eine ganze Zahl von 1 bis {n}.</translation>
    </message>
    <message>
        <source>The column of an m-of-n split is that of its first literal, “{first}”.</source>
        <translation>Die Spalte einer m-aus-n-Teilung ist die ihres ersten Literals, „{first}“.</translation>
    </message>
    <message>
        <source>An m-of-n split has literals only: leave thresholds, groups, missing and unseen out.</source>
        <translation>Eine m-aus-n-Teilung hat nur Literale: Lassen Sie Schwellen, Gruppen, missing und unseen weg.</translation>
    </message>
    <message>
        <source>none of {n} conditions</source>
        <translation>keine von {n} Bedingungen</translation>
    </message>
    <message>
        <source>any of {n} conditions</source>
        <translation>eine von {n} Bedingungen</translation>
    </message>
    <message>
        <source>not all of {n} conditions</source>
        <translation>nicht alle von {n} Bedingungen</translation>
    </message>
    <message>
        <source>all of {n} conditions</source>
        <translation>alle von {n} Bedingungen</translation>
    </message>
    <message>
        <source>fewer than {m} of {n} conditions</source>
        <translation>weniger als {m} von {n} Bedingungen</translation>
    </message>
    <message>
        <source>at least {m} of {n} conditions</source>
        <translation>mindestens {m} von {n} Bedingungen</translation>
    </message>
    <message>
        <source>{condition} (where missing: {others})</source>
        <translation>{condition} (wo fehlend: {others})</translation>
    </message>
    <message>
        <source>{condition} (where missing: in part)</source>
        <translation>{condition} (wo fehlend: anteilig)</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>{condition}, else {other}</source>
        <translation>{condition}, sonst {other}</translation>
    </message>
    <message>
        <source>“{name}” is the target and cannot be the weight too: choose another column.</source>
        <translation>„{name}“ ist die Zielspalte und kann nicht auch das Gewicht sein: Wählen Sie eine andere Spalte.</translation>
    </message>
    <message>
        <source>“{name}” is the target and cannot be the frequency too: choose another column.</source>
        <translation>„{name}“ ist die Zielspalte und kann nicht auch die Häufigkeit sein: Wählen Sie eine andere Spalte.</translation>
    </message>
    <message>
        <source>“{name}” is the target and cannot divide the rows too: choose another column.</source>
        <translation>„{name}“ ist die Zielspalte und kann nicht auch die Zeilen aufteilen: Wählen Sie eine andere Spalte.</translation>
    </message>
    <message>
        <source>Column “{column}” cannot be the weight: its values are not numbers.</source>
        <translation>Die Spalte „{column}“ kann nicht das Gewicht sein: Ihre Werte sind keine Zahlen.</translation>
    </message>
    <message>
        <source>Column “{column}” cannot be the frequency: its values are not numbers.</source>
        <translation>Die Spalte „{column}“ kann nicht die Häufigkeit sein: Ihre Werte sind keine Zahlen.</translation>
    </message>
    <message>
        <source>Row {row} has the weight {number:g} in column “{column}”: weights are finite and not negative.</source>
        <translation>Zeile {row} hat das Gewicht {number:g} in der Spalte „{column}“: Gewichte sind endlich und nicht negativ.</translation>
    </message>
    <message>
        <source>Row {row} has the frequency {number:g} in column “{column}”: frequencies are finite and not negative.</source>
        <translation>Zeile {row} hat die Häufigkeit {number:g} in der Spalte „{column}“: Häufigkeiten sind endlich und nicht negativ.</translation>
    </message>
    <message>
        <source>A row has the weight {number:g} in column “{column}”: weights are finite and not negative.</source>
        <translation>Eine Zeile hat das Gewicht {number:g} in der Spalte „{column}“: Gewichte sind endlich und nicht negativ.</translation>
    </message>
    <message>
        <source>A row has the frequency {number:g} in column “{column}”: frequencies are finite and not negative.</source>
        <translation>Eine Zeile hat die Häufigkeit {number:g} in der Spalte „{column}“: Häufigkeiten sind endlich und nicht negativ.</translation>
    </message>
    <message>
        <source>“{role}” is no role for column “{name}”; choose one of {roles}.</source>
        <translation>„{role}“ ist keine Rolle für die Spalte „{name}“; möglich sind {roles}.</translation>
    </message>
    <message>
        <source>Two columns hold weights, “{one}” and “{other}”: choose one.</source>
        <translation>Zwei Spalten enthalten Gewichte, „{one}“ und „{other}“: Wählen Sie eine.</translation>
    </message>
    <message>
        <source>A row has the frequency {odd:g} in column “{column}”, but frequencies are whole numbers: for weights that are not, choose the role weight.</source>
        <translation>Eine Zeile hat die Häufigkeit {odd:g} in der Spalte „{column}“, aber Häufigkeiten sind ganze Zahlen: Wählen Sie für andere Gewichte die Rolle Gewicht.</translation>
    </message>
    <message>
        <source>Row {row} has the frequency {odd:g} in column “{column}”, but frequencies are whole numbers: for weights that are not, choose the role weight.</source>
        <translation>Zeile {row} hat die Häufigkeit {odd:g} in der Spalte „{column}“, aber Häufigkeiten sind ganze Zahlen: Wählen Sie für andere Gewichte die Rolle Gewicht.</translation>
    </message>
    <message>
        <source>Column “{column}” holds the weight {odd:g}, but weights are 0 or from 1e-100 to 1e100: multiply or divide all of them by a power of ten, which changes no tree.</source>
        <translation>Die Spalte „{column}“ enthält das Gewicht {odd:g}, aber Gewichte sind 0 oder liegen zwischen 1e-100 und 1e100: Multiplizieren oder dividieren Sie alle mit einer Zehnerpotenz; das ändert keinen Baum.</translation>
    </message>
    <message>
        <source>The target “{name}” is missing in every row: choose another target.</source>
        <translation>Die Zielspalte „{name}“ fehlt in jeder Zeile: Wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>The target “{column}” is a date, which no tree predicts: choose another target, or make it ordered, so that each date is a class.</source>
        <translation>Die Zielspalte „{column}“ ist ein Datum, das kein Baum vorhersagt: Wählen Sie eine andere, oder machen Sie sie geordnet, sodass jedes Datum eine Klasse ist.</translation>
    </message>
    <message>
        <source>No column is left to split on beside the target “{column}”: make at least one a feature.</source>
        <translation>Neben der Zielspalte „{column}“ bleibt keine Spalte zum Teilen: Machen Sie mindestens eine zum Merkmal.</translation>
    </message>
    <message>
        <source>Every row has a value of its own in the target “{column}” ({rows} rows, {rows} classes): choose another target.</source>
        <translation>Jede Zeile hat einen eigenen Wert in der Zielspalte „{column}“ ({rows} Zeilen, {rows} Klassen): Wählen Sie eine andere Zielspalte.</translation>
    </message>
    <message>
        <source>The target “{column}” has {classes:,} classes; a tree can tell apart at most {most:,}: choose another target, or make it a number.</source>
        <translation>Die Zielspalte „{column}“ hat {classes:,} Klassen; ein Baum kann höchstens {most:,} unterscheiden: Wählen Sie eine andere, oder machen Sie sie zur Zahl.</translation>
    </message>
    <message>
        <source>The target “{target}” holds infinite values, whose mean means nothing: remove those rows.</source>
        <translation>Die Zielspalte „{target}“ enthält unendliche Werte, deren Mittelwert nichts bedeutet: Entfernen Sie diese Zeilen.</translation>
    </message>
    <message>
        <source>The target “{target}” holds values beyond 1e140, whose squares add up to infinity: divide it by a power of ten.</source>
        <translation>Die Zielspalte „{target}“ enthält Werte jenseits von 1e140, deren Quadrate eine unendliche Summe ergeben: Dividieren Sie sie durch eine Zehnerpotenz.</translation>
    </message>
    <message>
        <source>The squares of the target “{target}”, with weights up to {heaviest:g}, add up to infinity: divide the weights by a power of ten, which changes no tree.</source>
        <translation>Die Quadrate der Zielspalte „{target}“ mit Gewichten bis {heaviest:g} ergeben eine unendliche Summe: Dividieren Sie die Gewichte durch eine Zehnerpotenz; das ändert keinen Baum.</translation>
    </message>
    <message>
        <source>Column “{name}” holds complex numbers, which no split can order: leave it out.</source>
        <translation>Die Spalte „{name}“ enthält komplexe Zahlen, die keine Teilung ordnen kann: Lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Column “{name}” is of Arrow&apos;s type {type}, which pandas cannot read: leave it out.</source>
        <translation>Die Spalte „{name}“ hat Arrows Typ {type}, den pandas nicht lesen kann: Lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Column “{name}” holds durations of more than 200,000 years: leave it out.</source>
        <translation>Die Spalte „{name}“ enthält Zeitspannen von mehr als 200,000 Jahren: Lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>Column “{name}” holds numbers beyond 1e308: divide it by a power of ten.</source>
        <translation>Die Spalte „{name}“ enthält Zahlen jenseits von 1e308: Dividieren Sie sie durch eine Zehnerpotenz.</translation>
    </message>
    <message>
        <source>Column “{name}” holds values of type {type}, which make no levels: leave it out.</source>
        <translation>Die Spalte „{name}“ enthält Werte vom Typ {type}, die keine Ausprägungen ergeben: Lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>There is no column kind “{type}”; choose one of {all}.</source>
        <translation>Es gibt keine Spaltenart „{type}“; möglich sind {all}.</translation>
    </message>
    <message>
        <source>Column “{column}” cannot turn from {old} into {new}: read it as a category.</source>
        <translation>Die Spalte „{column}“ lässt sich nicht von {old} in {new} umwandeln: Lesen Sie sie als Kategorie.</translation>
    </message>
    <message>
        <source>Column “{name}” has no levels to put in order: make it ordered first.</source>
        <translation>Die Spalte „{name}“ hat keine Ausprägungen, die sich ordnen ließen: Machen Sie sie zuerst geordnet.</translation>
    </message>
    <message>
        <source>The order of “{column}” names “{twice}” twice: name each level once.</source>
        <translation>Die Ordnung von „{column}“ nennt „{twice}“ zweimal: Nennen Sie jede Ausprägung einmal.</translation>
    </message>
    <message>
        <source>Column “{column}” has no level “{level}”; its levels are {levels}.</source>
        <translation>Die Spalte „{column}“ hat keine Ausprägung „{level}“; ihre Ausprägungen sind {levels}.</translation>
    </message>
    <message>
        <source>The order of “{column}” leaves “{level}” out: name all of {levels}.</source>
        <translation>Die Ordnung von „{column}“ lässt „{level}“ aus: Nennen Sie alle von {levels}.</translation>
    </message>
    <message>
        <source>Column “{column}” holds “{value}”, which is neither true nor false: keep its kind.</source>
        <translation>Die Spalte „{column}“ enthält „{value}“, was weder wahr noch falsch ist: Behalten Sie ihre Art.</translation>
    </message>
    <message>
        <source>Column “{column}” holds “{value}”, which is not a number: keep it a category.</source>
        <translation>Die Spalte „{column}“ enthält „{value}“, was keine Zahl ist: Lassen Sie sie eine Kategorie.</translation>
    </message>
    <message>
        <source>Column “{column}” holds “{value}”, which is not an integer: keep it a category.</source>
        <translation>Die Spalte „{column}“ enthält „{value}“, was keine ganze Zahl ist: Lassen Sie sie eine Kategorie.</translation>
    </message>
    <message>
        <source>Column “{column}” holds “{value}”, which is not a date: keep it a category.</source>
        <translation>Die Spalte „{column}“ enthält „{value}“, was kein Datum ist: Lassen Sie sie eine Kategorie.</translation>
    </message>
    <message>
        <source>Column “{column}” holds {value}, which is not a whole number: keep it a number.</source>
        <translation>Die Spalte „{column}“ enthält {value}, was keine ganze Zahl ist: Lassen Sie sie eine Zahl.</translation>
    </message>
    <message>
        <source>Two columns are called “{twice}”: rename one of them.</source>
        <translation>Zwei Spalten heißen „{twice}“: Benennen Sie eine davon um.</translation>
    </message>
    <message>
        <source>“{name}” has no rows.</source>
        <translation>„{name}“ hat keine Zeilen.</translation>
    </message>
    <message>
        <source>“{name}” has no columns.</source>
        <translation>„{name}“ hat keine Spalten.</translation>
    </message>
    <message>
        <source>“{name}” holds durations: they are read as seconds, in conditions, too.</source>
        <translation>„{name}“ enthält Zeitspannen: Sie werden als Sekunden gelesen, auch in Bedingungen.</translation>
    </message>
    <message>
        <source>The {name} share cannot be {share:g}; it is a fraction from 0 to below 1.</source>
        <translation>Der Anteil {name} kann nicht {share:g} sein; er ist ein Bruchteil von 0 bis unter 1.</translation>
    </message>
    <message>
        <source>Validation {validation:g} and test {test:g} leave no rows for training: their sum must be below 1.</source>
        <translation>Validierung {validation:g} und Test {test:g} lassen keine Zeilen zum Trainieren: Ihre Summe muss unter 1 liegen.</translation>
    </message>
    <message>
        <source>“{value}” in column “{column}” names no part; use train, validation and test, or 0, 1 and 2.</source>
        <translation>„{value}“ in der Spalte „{column}“ nennt keinen Teil; verwenden Sie train, validation und test, oder 0, 1 und 2.</translation>
    </message>
    <message>
        <source>There is no column “{name}” in {table}; it has {names}.</source>
        <translation>In {table} gibt es keine Spalte „{name}“; es gibt {names}.</translation>
    </message>
    <message>
        <source>No target is chosen in {table}: name the column to predict.</source>
        <translation>In {table} ist keine Zielspalte gewählt: Nennen Sie die Spalte, die vorhergesagt werden soll.</translation>
    </message>
    <message>
        <source>“{name}” is infinite in 1 row: kept, as the smallest or largest value.</source>
        <translation>„{name}“ ist in 1 Zeile unendlich: behalten, als kleinster oder größter Wert.</translation>
    </message>
    <message>
        <source>“{name}” is infinite in {n} rows: kept, as the smallest or largest value.</source>
        <translation>„{name}“ ist in {n} Zeilen unendlich: behalten, als kleinster oder größter Wert.</translation>
    </message>
    <message>
        <source>“{name}” holds integers of 2⁵³ and beyond: neighbours there may count as equal.</source>
        <translation>„{name}“ enthält ganze Zahlen von 2⁵³ und darüber: Nachbarn können dort als gleich zählen.</translation>
    </message>
    <message>
        <source>1 row has no value in the target “{target}” and is left out.</source>
        <translation>1 Zeile hat keinen Wert in der Zielspalte „{target}“ und wird ausgelassen.</translation>
    </message>
    <message>
        <source>{n:,} rows have no value in the target “{target}” and are left out.</source>
        <translation>{n:,} Zeilen haben keinen Wert in der Zielspalte „{target}“ und werden ausgelassen.</translation>
    </message>
    <message>
        <source>The target “{target}” is “{value}” in every training row: the tree is a single leaf until you choose another target.</source>
        <translation>Das Ziel „{target}“ ist in jeder Trainingszeile „{value}“: Der Baum ist ein einziges Blatt, bis Sie ein anderes Ziel wählen.</translation>
    </message>
    <message>
        <source>Test rows were chosen before “{group}” was the group, so rows of one value may stand on both sides: choose this role as the file is opened.</source>
        <translation>Die Testzeilen wurden bestimmt, bevor „{group}“ die Gruppe war; Zeilen mit demselben Wert können darum auf beiden Seiten stehen: Wählen Sie diese Rolle beim Öffnen der Datei.</translation>
    </message>
    <message>
        <source>{share:.0f} % of the rows are kept for the test where {asked:.0f} % were asked for: rows of one value of “{key}” stay together, and it has {n:,} values.</source>
        <translation>{share:.0f} % der Zeilen sind für den Test zurückgehalten, wo {asked:.0f} % verlangt waren: Zeilen mit demselben Wert in „{key}“ bleiben zusammen, und es gibt dort {n:,} Werte.</translation>
    </message>
    <message>
        <source>The target “{target}” is no number, so it cannot be binned: use its classes.</source>
        <translation>Die Zielspalte „{target}“ ist keine Zahl, also lässt sie sich nicht in Intervalle teilen: Verwenden Sie ihre Klassen.</translation>
    </message>
    <message>
        <source>bins cannot be {bins}; it is a whole number from 2 to {most:,}.</source>
        <translation>bins kann nicht {bins} sein; es ist eine ganze Zahl von 2 bis {most:,}.</translation>
    </message>
    <message>
        <source>The target “{target}” has the same value in all training rows, so there are no two bins of it: change the partition or choose another target.</source>
        <translation>Die Zielspalte „{target}“ hat in allen Trainingszeilen denselben Wert, also gibt es keine zwei Intervalle davon: Ändern Sie die Aufteilung, oder wählen Sie eine andere Zielspalte.</translation>
    </message>
    <message>
        <source>{n:,} test rows are kept in {table}, and no others can be: leave the test share as it is, or read the table again.</source>
        <translation>In {table} sind {n:,} Testzeilen zurückgehalten, andere sind nicht möglich: Lassen Sie den Testanteil, wie er ist, oder lesen Sie die Tabelle erneut.</translation>
    </message>
    <message>
        <source>“{name}” chose the test rows by its values, so its type stays: read the table again to change it.</source>
        <translation>„{name}“ hat mit seinen Werten die Testzeilen bestimmt, darum bleibt sein Typ: Lesen Sie die Tabelle erneut, um ihn zu ändern.</translation>
    </message>
    <message>
        <source>No row is left for training in {table}: change the partition or the weights.</source>
        <translation>In {table} bleibt keine Zeile zum Trainieren: Ändern Sie die Aufteilung oder die Gewichte.</translation>
    </message>
    <message>
        <source>“{name}” holds 1 date outside of the years 1 to 9999, which counts as missing.</source>
        <translation>„{name}“ enthält 1 Datum außerhalb der Jahre 1 bis 9999, das als fehlend zählt.</translation>
    </message>
    <message>
        <source>“{name}” holds {n:,} dates outside of the years 1 to 9999, which count as missing.</source>
        <translation>„{name}“ enthält {n:,} Daten außerhalb der Jahre 1 bis 9999, die als fehlend zählen.</translation>
    </message>
    <message>
        <source>The classes are not measured by “{capacity}”; it is one of {capacities}.</source>
        <translation>Die Klassen werden nicht nach „{capacity}“ gemessen; möglich sind {capacities}.</translation>
    </message>
    <message>
        <source>δ is {delta:g}; a probability that the bound does not hold is above 0 and at most 1.</source>
        <translation>δ ist {delta:g}; die Wahrscheinlichkeit, dass die Schranke nicht gilt, liegt über 0 und ist höchstens 1.</translation>
    </message>
    <message>
        <source>A bound on {m:g} rows says nothing: it needs training rows with weight.</source>
        <translation>Eine Schranke aus {m:g} Zeilen sagt nichts: sie braucht Trainingszeilen mit Gewicht.</translation>
    </message>
    <message>
        <source>depth cannot be {depth}; all trees can be searched for a depth of 1 to {most}.</source>
        <translation>depth kann nicht {depth} sein; alle Bäume lassen sich für eine Tiefe von 1 bis {most} durchsuchen.</translation>
    </message>
    <message>
        <source>A branch for each level makes more trees than can be counted: divide the levels into groups.</source>
        <translation>Ein Zweig für jede Ausprägung ergibt mehr Bäume, als sich zählen lassen: Teilen Sie die Ausprägungen in Gruppen.</translation>
    </message>
    <message>
        <source>{n:,.0f} minutes</source>
        <translation>{n:,.0f} Minuten</translation>
    </message>
    <message>
        <source>{n:,.0f} hours</source>
        <translation>{n:,.0f} Stunden</translation>
    </message>
    <message>
        <source>more than a year</source>
        <translation>mehr als ein Jahr</translation>
    </message>
    <message>
        <source>{tests:,} different tests make about 10^{power} trees of depth {depth}; to search them would take {time}. Leave out columns, above all those of many different values.</source>
        <translation>{tests:,} verschiedene Tests ergeben etwa 10^{power} Bäume der Tiefe {depth}; sie zu durchsuchen würde {time} dauern. Lassen Sie Spalten weg, vor allem solche mit vielen verschiedenen Werten.</translation>
    </message>
    <message>
        <source>{tests:,} different tests make about 10^{power} trees of depth {depth}; to search them would take {time}. Choose a smaller depth, or leave out columns, above all those of many different values.</source>
        <translation>{tests:,} verschiedene Tests ergeben etwa 10^{power} Bäume der Tiefe {depth}; sie zu durchsuchen würde {time} dauern. Wählen Sie eine kleinere Tiefe, oder lassen Sie Spalten weg, vor allem solche mit vielen verschiedenen Werten.</translation>
    </message>
    <message>
        <source>“{target}” is numeric: what its leaves say is no symbol among few, so it has no code.</source>
        <translation>„{target}“ ist numerisch: Was die Blätter vorhersagen, ist kein Symbol unter wenigen, also gibt es keinen Code.</translation>
    </message>
    <message>
        <source>split: {split}</source>
        <translation>Teilung: {split}</translation>
    </message>
    <message>
        <source>leaf: {label}</source>
        <translation>Blatt: {label}</translation>
    </message>
    <message>
        <source>A code is made of the digits 0 and 1, not of “{sign}”.</source>
        <translation>Ein Code besteht aus den Ziffern 0 und 1, nicht aus „{sign}“.</translation>
    </message>
    <message>
        <source>“{target}” is numeric, so trees for it have no code.</source>
        <translation>„{target}“ ist numerisch, also haben Bäume dafür keinen Code.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the tree is complete, but the code goes on.</source>
        <translation>Vor Bit {at:,} ist der Baum fertig, aber der Code geht weiter.</translation>
    </message>
    <message>
        <source>The code says that it ends at bit {at:,}, and {n:,} bits follow.</source>
        <translation>Der Code sagt, dass er bei Bit {at:,} endet, und {n:,} Bits folgen.</translation>
    </message>
    <message>
        <source>The code says that it ends at bit {at:,}, before all branches are told.</source>
        <translation>Der Code sagt, dass er bei Bit {at:,} endet, bevor alle Zweige genannt sind.</translation>
    </message>
    <message>
        <source>The code says that it ends at bit {at:,}, and 1 bit follows.</source>
        <translation>Der Code sagt, dass er bei Bit {at:,} endet, und 1 Bit folgt.</translation>
    </message>
    <message>
        <source>{bits:,} bits in {blocks:,} blocks, {ideal} if a choice among n could take log₂ n bits; decoded again they are the same tree</source>
        <translation>{bits:,} Bits in {blocks:,} Blöcken, {ideal}, wenn eine Wahl unter n log₂ n Bits brauchen dürfte; zurückgelesen ergeben sie denselben Baum</translation>
    </message>
    <message>
        <source>one cut</source>
        <translation>ein Schnitt</translation>
    </message>
    <message>
        <source>several cuts</source>
        <translation>mehrere Schnitte</translation>
    </message>
    <message>
        <source>two groups</source>
        <translation>zwei Gruppen</translation>
    </message>
    <message>
        <source>one branch per level</source>
        <translation>ein Zweig je Ausprägung</translation>
    </message>
    <message>
        <source>several groups</source>
        <translation>mehrere Gruppen</translation>
    </message>
    <message>
        <source>The code ends after {bits:,} bits, in the midst of a tree.</source>
        <translation>Der Code endet nach {bits:,} Bits, mitten in einem Baum.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code says choice {choice:,} of {n:,}, which there is not.</source>
        <translation>Vor Bit {at:,} sagt der Code Wahl {choice:,} von {n:,}, die es nicht gibt.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code counts more than the bits that follow can tell.</source>
        <translation>Vor Bit {at:,} zählt der Code mehr, als die folgenden Bits sagen können.</translation>
    </message>
    <message>
        <source>“{column}” has no level “{value}” in this table, so it cannot be coded.</source>
        <translation>„{column}“ hat in dieser Tabelle keine Ausprägung „{value}“, also lässt sie sich nicht kodieren.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code says {form} of “{column}”, whose kind is {kind}.</source>
        <translation>Vor Bit {at:,} sagt der Code {form} von „{column}“, dessen Art {kind} ist.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code names a surrogate of a surrogate, which there is not.</source>
        <translation>Vor Bit {at:,} nennt der Code eine Ersatzteilung einer Ersatzteilung, die es nicht gibt.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code parts levels where there are fewer than two.</source>
        <translation>Vor Bit {at:,} trennt der Code Ausprägungen, wo es weniger als zwei gibt.</translation>
    </message>
    <message>
        <source>Before bit {at:,} the code names a level of “{column}”, which has none.</source>
        <translation>Vor Bit {at:,} nennt der Code eine Ausprägung von „{column}“, das keine hat.</translation>
    </message>
    <message>
        <source>The branch counts of these nodes do not describe one tree.</source>
        <translation>Die Zahlen der Zweige dieser Knoten beschreiben keinen Baum.</translation>
    </message>
    <message>
        <source>The tree has no node {node}.</source>
        <translation>Der Baum hat keinen Knoten {node}.</translation>
    </message>
    <message>
        <source>The tree holds no medians, so {criterion} cannot be computed for its nodes; choose {other}.</source>
        <translation>Der Baum enthält keine Mediane, also lässt sich {criterion} für seine Knoten nicht berechnen; wählen Sie {other}.</translation>
    </message>
    <message>
        <source>The tree holds no histograms, so {criterion} cannot be computed for its nodes; choose {other}.</source>
        <translation>Der Baum enthält keine Histogramme, also lässt sich {criterion} für seine Knoten nicht berechnen; wählen Sie {other}.</translation>
    </message>
    <message>
        <source>A tree predicts the rows of a pandas DataFrame with named columns, not of a {kind}.</source>
        <translation>Ein Baum sagt die Zeilen eines pandas-DataFrame mit benannten Spalten vorher, nicht die von {kind}.</translation>
    </message>
    <message>
        <source>The tree splits on “{name}”, but these rows have no such column.</source>
        <translation>Der Baum teilt nach „{name}“, aber diese Zeilen haben keine solche Spalte.</translation>
    </message>
    <message>
        <source>The tree splits on “{name}”, but two columns are called “{name}”.</source>
        <translation>Der Baum teilt nach „{name}“, aber zwei Spalten heißen „{name}“.</translation>
    </message>
    <message>
        <source>the rows to predict</source>
        <translation>die vorherzusagenden Zeilen</translation>
    </message>
    <message>
        <source>The tree predicts “{target}”, but the target of {table} is “{other}”: make “{target}” the target first.</source>
        <translation>Der Baum sagt „{target}“ vorher, aber die Zielspalte von {table} ist „{other}“: Machen Sie zuerst „{target}“ zur Zielspalte.</translation>
    </message>
    <message>
        <source>The tree predicts “{target}”, but the target of {table} is “{other}”: this table has no column “{target}”, so open one that has.</source>
        <translation>Der Baum sagt „{target}“ vorher, aber die Zielspalte von {table} ist „{other}“: Diese Tabelle hat keine Spalte „{target}“; öffnen Sie eine, die sie hat.</translation>
    </message>
    <message>
        <source>The tree predicts a number, but “{target}” has categories in {table}: read it as a number.</source>
        <translation>Der Baum sagt eine Zahl vorher, aber „{target}“ hat in {table} Kategorien: Lesen Sie sie als Zahl.</translation>
    </message>
    <message>
        <source>The tree predicts categories, but “{target}” has numbers in {table}: read it as a category.</source>
        <translation>Der Baum sagt Kategorien vorher, aber „{target}“ hat in {table} Zahlen: Lesen Sie sie als Kategorie.</translation>
    </message>
    <message>
        <source>This tree predicts medians, and errors around another number are counted on the rows: give the table, too.</source>
        <translation>Dieser Baum sagt Mediane vorher, und Fehler um eine andere Zahl werden auf den Zeilen gezählt: Geben Sie auch die Tabelle an.</translation>
    </message>
    <message>
        <source>The split “{split}” was taken back: {fault}</source>
        <translation>Die Teilung „{split}“ wurde zurückgenommen: {fault}</translation>
    </message>
    <message>
        <source>The surrogates by “{column}” were taken from 1 split: {fault}</source>
        <translation>Die Ersatzteilungen nach „{column}“ wurden von 1 Teilung genommen: {fault}</translation>
    </message>
    <message>
        <source>The surrogates by “{column}” were taken from {n} splits: {fault}</source>
        <translation>Die Ersatzteilungen nach „{column}“ wurden von {n} Teilungen genommen: {fault}</translation>
    </message>
    <message>
        <source>Column “{name}” is no feature of {table}.</source>
        <translation>Die Spalte „{name}“ ist kein Merkmal von {table}.</translation>
    </message>
    <message>
        <source>it has other features, or in another order</source>
        <translation>er hat andere Merkmale, oder in anderer Reihenfolge</translation>
    </message>
    <message>
        <source>it predicts “{other}”, not “{target}”</source>
        <translation>er sagt „{other}“ vorher, nicht „{target}“</translation>
    </message>
    <message>
        <source>its classes of “{target}” are others, or in another order</source>
        <translation>seine Klassen von „{target}“ sind andere, oder in anderer Reihenfolge</translation>
    </message>
    <message>
        <source>it was counted on other rows than stand in that leaf</source>
        <translation>er wurde auf anderen Zeilen gezählt, als in jenem Blatt stehen</translation>
    </message>
    <message>
        <source>it has other medians or histograms; give it the same leaf rule and bins</source>
        <translation>er hat andere Mediane oder Histogramme; geben Sie ihm dieselbe Regel der Blätter und dieselben Intervalle</translation>
    </message>
    <message>
        <source>The tree to put at node {node} does not fit: {fault}.</source>
        <translation>Der Baum, der an Knoten {node} gesetzt werden soll, passt nicht: {fault}.</translation>
    </message>
    <message>
        <source>Node {node} is split already: collapse it first.</source>
        <translation>Knoten {node} ist schon geteilt: Machen Sie ihn zuerst zum Blatt.</translation>
    </message>
    <message>
        <source>below cannot be “{below}”; choose one of {choices}.</source>
        <translation>below kann nicht „{below}“ sein; möglich sind {choices}.</translation>
    </message>
    <message>
        <source>Node {node} is a leaf, so there is no split to replace: split it instead.</source>
        <translation>Knoten {node} ist ein Blatt, also gibt es keine Teilung zu ersetzen: Teilen Sie ihn stattdessen.</translation>
    </message>
    <message>
        <source>Node {node} is a leaf, so it has no branch to take its place.</source>
        <translation>Knoten {node} ist ein Blatt und hat daher keinen Zweig, der seinen Platz einnehmen könnte.</translation>
    </message>
    <message>
        <source>Node {node} has no branch {branch}; it has the branches 0 to {last}.</source>
        <translation>Knoten {node} hat keinen Zweig {branch}; er hat die Zweige 0 bis {last}.</translation>
    </message>
    <message>
        <source>Nodes {node} and {other} are no two branches of one split, so they cannot be merged.</source>
        <translation>Die Knoten {node} und {other} sind nicht zwei Zweige einer Teilung, also lassen sie sich nicht verbinden.</translation>
    </message>
    <message>
        <source>Node {node} is split, and only leaves can be merged: collapse it first.</source>
        <translation>Knoten {node} ist geteilt, und nur Blätter lassen sich verbinden: Machen Sie ihn zuerst zum Blatt.</translation>
    </message>
    <message>
        <source>“{one}” and “{other}” cannot be merged, for “{between}” stands between them: merge neighbours.</source>
        <translation>„{one}“ und „{other}“ lassen sich nicht verbinden, denn „{between}“ steht dazwischen: Verbinden Sie Nachbarn.</translation>
    </message>
    <message>
        <source>smoothing cannot be “{smoothing}”; choose one of {choices}.</source>
        <translation>smoothing kann nicht „{smoothing}“ sein; möglich sind {choices}.</translation>
    </message>
    <message>
        <source>smoothing_m cannot be {value}; it is a number from 0 to {largest:g}.</source>
        <translation>smoothing_m kann nicht {value} sein; es ist eine Zahl von 0 bis {largest:g}.</translation>
    </message>
    <message>
        <source>There is no class “{name}”; the classes are {classes}.</source>
        <translation>Es gibt keine Klasse „{name}“; die Klassen sind {classes}.</translation>
    </message>
    <message>
        <source>A threshold is about two classes; the target has {n}. Costs can do the same.</source>
        <translation>Eine Schwelle gilt für zwei Klassen; die Zielspalte hat {n}. Kosten leisten dasselbe.</translation>
    </message>
    <message>
        <source>summary cannot be “{summary}” for a class target; choose one of mode.</source>
        <translation>summary kann für eine Zielspalte mit Klassen nicht „{summary}“ sein; möglich ist mode.</translation>
    </message>
    <message>
        <source>summary cannot be “{summary}” for a numeric target; choose one of mean, median.</source>
        <translation>summary kann für eine numerische Zielspalte nicht „{summary}“ sein; möglich sind mean, median.</translation>
    </message>
    <message>
        <source>The class “{twice}” is named twice among the priors.</source>
        <translation>Die Klasse „{twice}“ ist unter den A-priori-Anteilen zweimal genannt.</translation>
    </message>
    <message>
        <source>The priors are all 0; give at least one class a weight above 0.</source>
        <translation>Die A-priori-Anteile sind alle 0; geben Sie mindestens einer Klasse ein Gewicht über 0.</translation>
    </message>
    <message>
        <source>To call “{true}” by its name costs nothing; a cost is of a mistake.</source>
        <translation>„{true}“ beim Namen zu nennen kostet nichts; Kosten hat ein Fehler.</translation>
    </message>
    <message>
        <source>The mistake “{twice}” is named twice among the costs.</source>
        <translation>Der Fehler „{twice}“ ist unter den Kosten zweimal genannt.</translation>
    </message>
    <message>
        <source>There is one threshold for both classes; {n} are given.</source>
        <translation>Es gibt eine Schwelle für beide Klassen; angegeben sind {n}.</translation>
    </message>
    <message>
        <source>The threshold of “{name}” cannot be {value:g}; it is from 0 to 1.</source>
        <translation>Die Schwelle von „{name}“ kann nicht {value:g} sein; sie liegt zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>{what} cannot be {given}; {remedy}</source>
        <translation>{what} kann nicht {given} sein; {remedy}</translation>
    </message>
    <message>
        <source>The class “{twice}” is named twice among the profits.</source>
        <translation>Die Klasse „{twice}“ steht zweimal unter den Erträgen.</translation>
    </message>
    <message>
        <source>currency cannot be “{word}”; it has at most {most} characters.</source>
        <translation>currency kann nicht „{word}“ sein; es hat höchstens {most} Zeichen.</translation>
    </message>
    <message>
        <source>write class=weight, such as fraud=0.01, fine=0.99.</source>
        <translation>schreiben Sie Klasse=Gewicht, wie fraud=0.01, fine=0.99.</translation>
    </message>
    <message>
        <source>write true:predicted=cost, such as bad:good=5.</source>
        <translation>schreiben Sie wahr:vorhergesagt=Kosten, wie bad:good=5.</translation>
    </message>
    <message>
        <source>write class=probability, such as yes=0.2.</source>
        <translation>schreiben Sie Klasse=Wahrscheinlichkeit, wie yes=0.2.</translation>
    </message>
    <message>
        <source>write class=profit of acting, such as good=120, bad=-500; behind a colon that of not acting.</source>
        <translation>schreiben Sie Klasse=Ertrag des Handelns, etwa good=120, bad=-500; hinter einem Doppelpunkt den des Nichthandelns.</translation>
    </message>
    <message>
        <source>“{part}” cannot be used for {what}; {remedy}</source>
        <translation>„{part}“ ist für {what} nicht verwendbar; {remedy}</translation>
    </message>
    <message>
        <source>The profit of “{name}” cannot be {value}; it is a number.</source>
        <translation>Der Ertrag von „{name}“ kann nicht {value} sein; er ist eine Zahl.</translation>
    </message>
    <message>
        <source>The {what} of “{name}” cannot be {value}; it is a number from 0 to {largest:g}.</source>
        <translation>{what} von „{name}“ kann nicht {value} sein; es ist eine Zahl von 0 bis {largest:g}.</translation>
    </message>
    <message>
        <source>A mark has no “{name}”; it has {names}.</source>
        <translation>Eine Markierung hat kein „{name}“; sie hat {names}.</translation>
    </message>
    <message>
        <source>The note of node {node} cannot be {value}; it is a text.</source>
        <translation>Die Notiz von Knoten {node} kann nicht {value} sein; sie ist ein Text.</translation>
    </message>
    <message>
        <source>Node {node} is pinned or locked or not, True or False, not {value}.</source>
        <translation>Knoten {node} ist angeheftet oder gesperrt oder nicht, True oder False, nicht {value}.</translation>
    </message>
    <message>
        <source>Node {node} cannot predict “{value}”; the classes are {classes}.</source>
        <translation>Knoten {node} kann nicht „{value}“ vorhersagen; die Klassen sind {classes}.</translation>
    </message>
    <message>
        <source>Node {node} cannot predict “{value}”; “{target}” is numeric, so it predicts a number below {most:g} in size.</source>
        <translation>Knoten {node} kann nicht „{value}“ vorhersagen; „{target}“ ist numerisch, also sagt er eine Zahl vorher, deren Größe unter {most:g} liegt.</translation>
    </message>
    <message>
        <source>What node {node} excludes cannot be {value}; it is a list of column names.</source>
        <translation>Was Knoten {node} ausschließt, kann nicht {value} sein; es ist eine Liste von Spaltennamen.</translation>
    </message>
    <message>
        <source>“{name}” is no feature of this tree, so node {node} cannot exclude it.</source>
        <translation>„{name}“ ist kein Merkmal dieses Baumes, also kann Knoten {node} es nicht ausschließen.</translation>
    </message>
    <message>
        <source>The label “{label}” of node {node} was taken back: “{target}” never is that.</source>
        <translation>Die Vorhersage „{label}“ von Knoten {node} wurde zurückgenommen: „{target}“ ist das nie.</translation>
    </message>
    <message>
        <source>The criterion {criterion} of node {node} was taken back: the target is another one.</source>
        <translation>Das Kriterium {criterion} von Knoten {node} wurde zurückgenommen: Die Zielspalte ist eine andere.</translation>
    </message>
    <message>
        <source>Node {node} is locked: unlock it first.</source>
        <translation>Knoten {node} ist gesperrt: Entsperren Sie ihn zuerst.</translation>
    </message>
    <message>
        <source>Node {node} stands below node {lock}, which is locked: unlock node {lock} first.</source>
        <translation>Knoten {node} steht unter Knoten {lock}, der gesperrt ist: Entsperren Sie zuerst Knoten {lock}.</translation>
    </message>
    <message>
        <source>Node {other} below node {node} is locked: unlock node {other} first.</source>
        <translation>Knoten {other} unter Knoten {node} ist gesperrt: Entsperren Sie zuerst Knoten {other}.</translation>
    </message>
    <message>
        <source>“{name}” is no feature of this tree, so it cannot be split on.</source>
        <translation>„{name}“ ist kein Merkmal dieses Baumes, also lässt sich nicht danach teilen.</translation>
    </message>
    <message>
        <source>“{column}” has no level “{level}”, so it cannot be split by it.</source>
        <translation>„{column}“ hat keine Ausprägung „{level}“, also lässt sich nicht danach teilen.</translation>
    </message>
    <message>
        <source>“{column}” has no level “{level}”, so it cannot be asked for it.</source>
        <translation>„{column}“ hat keine Ausprägung „{level}“, also lässt sich nicht danach fragen.</translation>
    </message>
    <message>
        <source>No condition leads to the root: it holds all rows.</source>
        <translation>Zur Wurzel führt keine Bedingung: Sie enthält alle Zeilen.</translation>
    </message>
    <message>
        <source>A pandas query cannot select the level {level} of “{column}”, for a frame may hold it as a date or as text: make the column a date, or copy the path as text.</source>
        <translation>Eine pandas-Abfrage kann die Ausprägung {level} von „{column}“ nicht auswählen, denn ein DataFrame kann sie als Datum oder als Text enthalten: Machen Sie die Spalte zu einem Datum, oder kopieren Sie den Pfad als Text.</translation>
    </message>
    <message>
        <source>A pandas query cannot express the threshold {threshold} of “{column}”: it lies beyond the calendar.</source>
        <translation>Eine pandas-Abfrage kann die Schwelle {threshold} von „{column}“ nicht ausdrücken: sie liegt jenseits des Kalenders.</translation>
    </message>
    <message>
        <source>Predict {label} always</source>
        <translation>Immer {label} vorhersagen</translation>
    </message>
    <message>
        <source>Predict {label} never</source>
        <translation>Nie {label} vorhersagen</translation>
    </message>
    <message>
        <source>Predict {label} when {rule}</source>
        <translation>{label} vorhersagen, wenn {rule}</translation>
    </message>
    <message>
        <source>… (1 more leaf)</source>
        <translation>… (1 weiteres Blatt)</translation>
    </message>
    <message>
        <source>… ({n:,} more leaves)</source>
        <translation>… ({n:,} weitere Blätter)</translation>
    </message>
    <message>
        <source>a second level adds nothing</source>
        <translation>eine zweite Ebene bringt nichts</translation>
    </message>
    <message>
        <source>a second level adds {gain}</source>
        <translation>eine zweite Ebene bringt {gain}</translation>
    </message>
    <message>
        <source>valid mean {figure}</source>
        <translation>Valid.-Mittelwert {figure}</translation>
    </message>
    <message>
        <source>mean {figure}</source>
        <translation>Mittelwert {figure}</translation>
    </message>
    <message>
        <source>predicts {answer}</source>
        <translation>sagt {answer} vorher</translation>
    </message>
    <message>
        <source>validation rows: {what}</source>
        <translation>Validierungszeilen: {what}</translation>
    </message>
    <message>
        <source>valid: {what}</source>
        <translation>Valid.: {what}</translation>
    </message>
    <message>
        <source>median of {column}: below</source>
        <translation>Median von {column}: unter</translation>
    </message>
    <message>
        <source>median: below</source>
        <translation>Median: unter</translation>
    </message>
    <message>
        <source>mean of {column}: below</source>
        <translation>Mittelwert von {column}: unter</translation>
    </message>
    <message>
        <source>mean: below</source>
        <translation>Mittelwert: unter</translation>
    </message>
    <message>
        <source>above</source>
        <translation>über</translation>
    </message>
    <message>
        <source>share of {class_name}: less</source>
        <translation>Anteil von {class_name}: weniger</translation>
    </message>
    <message>
        <source>{class_name}: less</source>
        <translation>{class_name}: weniger</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>middle: {usual}</source>
        <translation>Mitte: {usual}</translation>
    </message>
    <message>
        <source>mostly {class_name}</source>
        <translation>meist {class_name}</translation>
    </message>
    <message>
        <source>paler: nearer to its share in all rows</source>
        <translation>blasser: näher an ihrem Anteil in allen Zeilen</translation>
    </message>
    <message>
        <source>mean error {figure}</source>
        <translation>mittlerer Fehler {figure}</translation>
    </message>
    <message>
        <source>deviation {figure}</source>
        <translation>Abweichung {figure}</translation>
    </message>
    <message>
        <source>mean distance from the median: 0</source>
        <translation>mittlerer Abstand vom Median: 0</translation>
    </message>
    <message>
        <source>standard deviation: 0</source>
        <translation>Standardabweichung: 0</translation>
    </message>
    <message>
        <source>spread: 0</source>
        <translation>Streuung: 0</translation>
    </message>
    <message>
        <source>{usual}, as in all rows, or more</source>
        <translation>{usual}, wie in allen Zeilen, oder mehr</translation>
    </message>
    <message>
        <source>{usual} or more</source>
        <translation>{usual} oder mehr</translation>
    </message>
    <message>
        <source>impurity ({measure}): pure</source>
        <translation>Unreinheit ({measure}): rein</translation>
    </message>
    <message>
        <source>all classes equally frequent</source>
        <translation>alle Klassen gleich häufig</translation>
    </message>
    <message>
        <source>pure</source>
        <translation>rein</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>lift {figure}</source>
        <translation>Lift {figure}</translation>
    </message>
    <message>
        <source>lift of {class_name}: ¼ or less</source>
        <translation>Lift von {class_name}: ¼ oder weniger</translation>
    </message>
    <message>
        <source>lift: ¼ or less</source>
        <translation>Lift: ¼ oder weniger</translation>
    </message>
    <message>
        <source>4 or more</source>
        <translation>4 oder mehr</translation>
    </message>
    <message>
        <source>Lift is about a class, and the target is a number: colour by the rate.</source>
        <translation>Der Lift gilt einer Klasse, und die Zielspalte ist eine Zahl: Färben Sie nach der Rate.</translation>
    </message>
    <message>
        <source>valid error {figure}</source>
        <translation>Valid.-Fehler {figure}</translation>
    </message>
    <message>
        <source>mean absolute error on validation rows, as a leaf: 0</source>
        <translation>mittlerer absoluter Fehler auf Validierungszeilen, als Blatt: 0</translation>
    </message>
    <message>
        <source>root mean squared error on validation rows, as a leaf: 0</source>
        <translation>Wurzel des mittleren quadratischen Fehlers auf Validierungszeilen, als Blatt: 0</translation>
    </message>
    <message>
        <source>{usual}, as of all rows, or more</source>
        <translation>{usual}, wie von allen Zeilen, oder mehr</translation>
    </message>
    <message>
        <source>valid error: 0</source>
        <translation>Valid.-Fehler: 0</translation>
    </message>
    <message>
        <source>wrong on validation rows, as a leaf: 0 %</source>
        <translation>falsch auf Validierungszeilen, als Blatt: 0 %</translation>
    </message>
    <message>
        <source>valid error: 0 %</source>
        <translation>Valid.-Fehler: 0 %</translation>
    </message>
    <message>
        <source>There are no validation rows: keep some apart by Data ▸ Partition.</source>
        <translation>Es gibt keine Validierungszeilen: Legen Sie mit Daten ▸ Aufteilung welche zurück.</translation>
    </message>
    <message>
        <source>by {column}</source>
        <translation>nach {column}</translation>
    </message>
    <message>
        <source>split by</source>
        <translation>geteilt nach</translation>
    </message>
    <message>
        <source>paler: leaves below such a split</source>
        <translation>blasser: Blätter unter einer solchen Teilung</translation>
    </message>
    <message>
        <source>differs {share}</source>
        <translation>verschieden {share}</translation>
    </message>
    <message>
        <source>rows that the other tree answers differently: none</source>
        <translation>Zeilen, die der andere Baum anders vorhersagt: keine</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>differ: none</source>
        <translation>verschieden: keine</translation>
    </message>
    <message>
        <source>The target is a number: there are no classes to colour by.</source>
        <translation>Die Zielspalte ist eine Zahl: Es gibt keine Klassen, nach denen zu färben wäre.</translation>
    </message>
    <message>
        <source>middle: {usual}, the average of the training rows</source>
        <translation>Mitte: {usual}, der Durchschnitt der Trainingszeilen</translation>
    </message>
    <message>
        <source>middle: {usual}, the median of the training rows</source>
        <translation>Mitte: {usual}, der Median der Trainingszeilen</translation>
    </message>
    <message>
        <source>middle: 1, the average of the training rows</source>
        <translation>Mitte: 1, der Durchschnitt der Trainingszeilen</translation>
    </message>
    <message>
        <source>Distance from the &amp;average</source>
        <translation>Abstand vom &amp;Durchschnitt</translation>
    </message>
    <message>
        <source>How far the share of the class in focus, or the number that a node predicts, lies from that of all rows; grey is average</source>
        <translation>Wie weit der Anteil der hervorgehobenen Klasse, oder die vorhergesagte Zahl eines Knotens, von dem aller Zeilen entfernt ist; Grau ist Durchschnitt</translation>
    </message>
    <message>
        <source>&amp;Class</source>
        <translation>&amp;Klasse</translation>
    </message>
    <message>
        <source>The class that a node predicts, paler the nearer its share is to that in all rows</source>
        <translation>Die Klasse, die ein Knoten vorhersagt, blasser, je näher ihr Anteil an dem aller Zeilen liegt</translation>
    </message>
    <message>
        <source>&amp;Impurity</source>
        <translation>&amp;Unreinheit</translation>
    </message>
    <message>
        <source>How mixed a node is, by the criterion that the tree was grown by; of a number, how far its values spread</source>
        <translation>Wie gemischt ein Knoten ist, nach dem Kriterium, nach dem der Baum gewachsen ist; bei einer Zahl, wie weit ihre Werte streuen</translation>
    </message>
    <message>
        <source>&amp;Lift</source>
        <translation>&amp;Lift</translation>
    </message>
    <message>
        <source>How many times as frequent the class in focus is as in all rows; grey is 1</source>
        <translation>Wievielmal so häufig die hervorgehobene Klasse ist wie in allen Zeilen; Grau ist 1</translation>
    </message>
    <message>
        <source>&amp;Validation error</source>
        <translation>&amp;Validierungsfehler</translation>
    </message>
    <message>
        <source>How much a node errs, as a leaf, on the validation rows</source>
        <translation>Wie sehr ein Knoten als Blatt auf den Validierungszeilen irrt</translation>
    </message>
    <message>
        <source>C&amp;olumn</source>
        <translation>S&amp;palte</translation>
    </message>
    <message>
        <source>Which column splits a node; leaves have the colour of the split above, paler</source>
        <translation>Welche Spalte einen Knoten teilt; Blätter haben die Farbe der Teilung darüber, blasser</translation>
    </message>
    <message>
        <source>&amp;Difference to another tree</source>
        <translation>Unterschied zu einem &amp;anderen Baum</translation>
    </message>
    <message>
        <source>Which share of a node’s rows another tree answers differently</source>
        <translation>Welchen Anteil der Zeilen eines Knotens ein anderer Baum anders vorhersagt</translation>
    </message>
    <message>
        <source>+ {leaves}</source>
        <translation>+ {leaves}</translation>
    </message>
    <message>
        <source>+ {n} leaves</source>
        <translation>+ {n} Blätter</translation>
    </message>
    <message>
        <source>≥ 1 validation row</source>
        <translation>≥ 1 Validierungszeile</translation>
    </message>
    <message>
        <source>≥ 1 row</source>
        <translation>≥ 1 Zeile</translation>
    </message>
    <message>
        <source>≥ {n} validation rows</source>
        <translation>≥ {n} Validierungszeilen</translation>
    </message>
    <message>
        <source>≥ {n} rows</source>
        <translation>≥ {n} Zeilen</translation>
    </message>
    <message>
        <source>≥ {share} of the validation rows</source>
        <translation>≥ {share} der Validierungszeilen</translation>
    </message>
    <message>
        <source>≥ {share} of the rows</source>
        <translation>≥ {share} der Zeilen</translation>
    </message>
    <message>
        <source>≥ {share} sure</source>
        <translation>≥ {share} sicher</translation>
    </message>
    <message>
        <source>≥ {share} sure on validation rows</source>
        <translation>≥ {share} sicher auf Validierungszeilen</translation>
    </message>
    <message>
        <source>spread ≤ {value}</source>
        <translation>Streuung ≤ {value}</translation>
    </message>
    <message>
        <source>spread ≤ {value} on validation rows</source>
        <translation>Streuung ≤ {value} auf Validierungszeilen</translation>
    </message>
    <message>
        <source>{n} of {leaves}</source>
        <translation>{n} von {leaves}</translation>
    </message>
    <message>
        <source>leaves predict the class of least expected cost</source>
        <translation>Blätter sagen die Klasse mit den kleinsten erwarteten Kosten vorher</translation>
    </message>
    <message>
        <source>leaves predict the class of least expected cost ({costs})</source>
        <translation>Blätter sagen die Klasse mit den kleinsten erwarteten Kosten vorher ({costs})</translation>
    </message>
    <message>
        <source>split by hand</source>
        <translation>von Hand geteilt</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <source>unlike the training rows: {n} of {tested} nodes (by chance alone: any in {level} of trees)</source>
        <translation>anders als die Trainingszeilen: {n} von {tested} Knoten (durch bloßen Zufall: irgendeiner in {level} der Bäume)</translation>
    </message>
    <message>
        <source>unlike training: {n}</source>
        <translation>anders als Training: {n}</translation>
    </message>
    <message>
        <source>unlike training: {n} of {tested}</source>
        <translation>anders als im Training: {n} von {tested}</translation>
    </message>
    <message>
        <source>letters: classes of one colour</source>
        <translation>Buchstaben: Klassen derselben Farbe</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>und {n} weitere</translation>
    </message>
    <message>
        <source>The tree has no node {node}: its nodes have numbers from 0 to {last}.</source>
        <translation>Der Baum hat keinen Knoten {node}: Seine Knoten haben Nummern von 0 bis {last}.</translation>
    </message>
    <message>
        <source>“{typed}” is no number of a node: write digits behind #, as in #12.</source>
        <translation>„{typed}“ ist keine Knotennummer: Schreiben Sie Ziffern hinter #, wie in #12.</translation>
    </message>
    <message>
        <source>No node splits by “{column}”. {hint}</source>
        <translation>Kein Knoten teilt nach „{column}“. {hint}</translation>
    </message>
    <message>
        <source>Nothing in the tree reads “{typed}”. {hint}</source>
        <translation>Nichts im Baum liest „{typed}“. {hint}</translation>
    </message>
    <message>
        <source>“{column}” is cut at {cuts}.</source>
        <translation>„{column}“ wird bei {cuts} geschnitten.</translation>
    </message>
    <message>
        <source>“{column}” is cut at {cuts} and at {n} more.</source>
        <translation>„{column}“ wird bei {cuts} und bei {n} weiteren geschnitten.</translation>
    </message>
    <message>
        <source>The tree has no splits yet: split the root first (S).</source>
        <translation>Der Baum hat noch keine Teilungen: Teilen Sie zuerst die Wurzel (S).</translation>
    </message>
    <message>
        <source>It splits by {columns} and {n} more.</source>
        <translation>Er teilt nach {columns} und {n} weiteren.</translation>
    </message>
    <message>
        <source>It splits by {columns}.</source>
        <translation>Er teilt nach {columns}.</translation>
    </message>
    <message>
        <source>&amp;Split, or what a leaf predicts</source>
        <translation>&amp;Teilung, oder was ein Blatt vorhersagt</translation>
    </message>
    <message>
        <source>The column or the conditions that a node is split by; of a leaf what it predicts</source>
        <translation>Die Spalte oder die Bedingungen, nach denen ein Knoten geteilt ist; bei einem Blatt, was es vorhersagt</translation>
    </message>
    <message>
        <source>&amp;Rows and rate</source>
        <translation>&amp;Zeilen und Rate</translation>
    </message>
    <message>
        <source>How many rows stand in a node, and the rate, class or number there</source>
        <translation>Wie viele Zeilen in einem Knoten stehen, und die Rate, Klasse oder Zahl dort</translation>
    </message>
    <message>
        <source>Share of &amp;all rows</source>
        <translation>Anteil an &amp;allen Zeilen</translation>
    </message>
    <message>
        <source>Which share of all rows stands in a node</source>
        <translation>Welcher Anteil aller Zeilen in einem Knoten steht</translation>
    </message>
    <message>
        <source>&amp;Validation beside training</source>
        <translation>&amp;Validierung neben Training</translation>
    </message>
    <message>
        <source>The same figure on the validation rows, where there are any; when these flow through the tree, that on the training rows</source>
        <translation>Dieselbe Zahl auf den Validierungszeilen, wo es welche gibt; wenn diese durch den Baum fließen, die auf den Trainingszeilen</translation>
    </message>
    <message>
        <source>&amp;Profit per row</source>
        <translation>&amp;Ertrag je Zeile</translation>
    </message>
    <message>
        <source>What a row of a node earns on average where it is acted on if that earns more than not acting; nothing without profits</source>
        <translation>Was eine Zeile eines Knotens im Mittel bringt, wenn gehandelt wird, wo das mehr bringt, als nicht zu handeln; ohne Erträge nichts</translation>
    </message>
    <message>
        <source>&amp;How often its split returns</source>
        <translation>&amp;Wie oft ihre Teilung wiederkehrt</translation>
    </message>
    <message>
        <source>In which share of the samples of the panel Judge the split of a node returned; nothing before samples were drawn</source>
        <translation>In welchem Anteil der Stichproben der Tafel Beurteilen die Teilung eines Knotens wiederkehrte; nichts, bevor Stichproben gezogen wurden</translation>
    </message>
    <message>
        <source>&amp;Node number</source>
        <translation>&amp;Knotennummer</translation>
    </message>
    <message>
        <source>The number by which rules, notes and messages name a node</source>
        <translation>Die Nummer, mit der Regeln, Notizen und Meldungen einen Knoten nennen</translation>
    </message>
    <message>
        <source>&amp;Bar of classes or values</source>
        <translation>&amp;Balken der Klassen oder Werte</translation>
    </message>
    <message>
        <source>The shares of the classes, with a tick at the share in all rows; of a number a box plot: the middle half of the values, their median, and a line from 5 % to 95 % of them</source>
        <translation>Die Anteile der Klassen, mit einem Strich beim Anteil in allen Zeilen; bei einer Zahl ein Kastendiagramm: die mittlere Hälfte der Werte, ihr Median und eine Linie von 5 % bis 95 % davon</translation>
    </message>
    <message>
        <source>Bad&amp;ges</source>
        <translation>Abzei&amp;chen</translation>
    </message>
    <message>
        <source>Small discs for splits by hand, pins, locks, notes, and for validation rows that disagree</source>
        <translation>Kleine Scheiben für Teilungen von Hand, Anheftungen, Sperren, Notizen und für widersprechende Validierungszeilen</translation>
    </message>
    <message>
        <source>act</source>
        <translation>handeln</translation>
    </message>
    <message>
        <source>{share} are {name}</source>
        <translation>{share} sind {name}</translation>
    </message>
    <message>
        <source>{share} of all rows</source>
        <translation>{share} aller Zeilen</translation>
    </message>
    <message>
        <source>{share} of all</source>
        <translation>{share} aller</translation>
    </message>
    <message>
        <source>act: {amount}</source>
        <translation>handeln: {amount}</translation>
    </message>
    <message>
        <source>do not act: {amount}</source>
        <translation>nicht handeln: {amount}</translation>
    </message>
    <message>
        <source>node {number}</source>
        <translation>Knoten {number}</translation>
    </message>
    <message>
        <source>returns in {share}</source>
        <translation>kehrt wieder: {share}</translation>
    </message>
    <message>
        <source>train {figure}</source>
        <translation>Train. {figure}</translation>
    </message>
    <message>
        <source>median {figure}</source>
        <translation>Median {figure}</translation>
    </message>
    <message>
        <source>and {condition}</source>
        <translation>und {condition}</translation>
    </message>
    <message>
        <source>Split by hand by {column} into {n} branches</source>
        <translation>Von Hand nach {column} in {n} Zweige geteilt</translation>
    </message>
    <message>
        <source>Split by {column} into {n} branches</source>
        <translation>Nach {column} in {n} Zweige geteilt</translation>
    </message>
    <message>
        <source>In {share} of the samples a split by the same column stands here</source>
        <translation>In {share} der Stichproben steht hier eine Teilung nach derselben Spalte</translation>
    </message>
    <message>
        <source>Predicts {answer}</source>
        <translation>Sagt {answer} vorher</translation>
    </message>
    <message>
        <source>Colour: {what}</source>
        <translation>Farbe: {what}</translation>
    </message>
    <message>
        <source>New row: {values}</source>
        <translation>Neue Zeile: {values}</translation>
    </message>
    <message>
        <source>Row {number}: {values}</source>
        <translation>Zeile {number}: {values}</translation>
    </message>
    <message>
        <source>Node {node}: {where}. {rows}; split by {column}.</source>
        <translation>Knoten {node}: {where}. {rows}; geteilt nach {column}.</translation>
    </message>
    <message>
        <source>Node {node}: {where}. {rows}; leaf, predicts {answer}.</source>
        <translation>Knoten {node}: {where}. {rows}; Blatt, sagt {answer} vorher.</translation>
    </message>
    <message>
        <source>1 training row</source>
        <translation>1 Trainingszeile</translation>
    </message>
    <message>
        <source>{n} conditions higher up</source>
        <translation>{n} Bedingungen weiter oben</translation>
    </message>
    <message>
        <source>{levels} and {n} more</source>
        <translation>{levels} und {n} weitere</translation>
    </message>
    <message>
        <source>{rows} ({share} of all)</source>
        <translation>{rows} ({share} aller)</translation>
    </message>
    <message>
        <source>1 validation row</source>
        <translation>1 Validierungszeile</translation>
    </message>
    <message>
        <source>Training and validation rows disagree: the means are {one} and {other}; t test, {sure} after adjusting for {n} nodes (Holm). By chance alone any node of a tree is marked in {level} of trees; training rows that chose the splits look better than others, too.</source>
        <translation>Trainings- und Validierungszeilen widersprechen sich: Die Mittelwerte sind {one} und {other}; t-Test, {sure} nach Anpassung für {n} Knoten (Holm). Durch bloßen Zufall ist in {level} der Bäume irgendein Knoten markiert; auch sehen Trainingszeilen, die die Teilungen gewählt haben, besser aus als andere.</translation>
    </message>
    <message>
        <source>Training and validation rows disagree: {name} are {one} and {other}; exact test, {sure} after adjusting for {n} nodes (Holm). By chance alone any node of a tree is marked in {level} of trees; training rows that chose the splits look better than others, too.</source>
        <translation>Trainings- und Validierungszeilen widersprechen sich: {name} sind {one} und {other}; exakter Test, {sure} nach Anpassung für {n} Knoten (Holm). Durch bloßen Zufall ist in {level} der Bäume irgendein Knoten markiert; auch sehen Trainingszeilen, die die Teilungen gewählt haben, besser aus als andere.</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
    <message>
        <source>median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>The picture would take {n} pages of {paper}: choose smaller cards, larger paper, a branch, or one page; up to {most} are written.</source>
        <translation>Das Bild würde {n} Seiten {paper} brauchen: Wählen Sie kleinere Karten, größeres Papier, einen Zweig oder eine Seite; geschrieben werden höchstens {most}.</translation>
    </message>
    <message>
        <source>of {rows} × {columns} pages</source>
        <translation>von {rows} × {columns} Seiten</translation>
    </message>
    <message>
        <source>{right} is pasted on from the dashed line on the right, {below} from the one below</source>
        <translation>{right} wird ab der gestrichelten Linie rechts angeklebt, {below} ab der unteren</translation>
    </message>
    <message>
        <source>{page} is pasted on from the dashed line on the right</source>
        <translation>{page} wird ab der gestrichelten Linie rechts angeklebt</translation>
    </message>
    <message>
        <source>{page} is pasted on from the dashed line below</source>
        <translation>{page} wird ab der gestrichelten Linie unten angeklebt</translation>
    </message>
    <message>
        <source>Decision tree: {target}</source>
        <translation>Entscheidungsbaum: {target}</translation>
    </message>
    <message>
        <source>There is no theme “{theme}”: choose {themes}.</source>
        <translation>Es gibt kein Erscheinungsbild „{theme}“: Möglich sind {themes}.</translation>
    </message>
    <message>
        <source>“{name}” is no picture that can be written: end it with .png, .svg, .pdf or .html.</source>
        <translation>„{name}“ ist kein Bild, das sich schreiben lässt: Lassen Sie es auf .png, .svg, .pdf oder .html enden.</translation>
    </message>
    <message>
        <source>The picture needs more memory than there is: choose a smaller scale, or SVG or PDF.</source>
        <translation>Das Bild braucht mehr Speicher, als es gibt: Wählen Sie einen kleineren Maßstab, oder SVG oder PDF.</translation>
    </message>
    <message>
        <source>The picture could not be encoded: choose another format or a smaller scale.</source>
        <translation>Das Bild ließ sich nicht kodieren: Wählen Sie ein anderes Format oder einen kleineren Maßstab.</translation>
    </message>
    <message>
        <source>Where missing values go:</source>
        <translation>Wohin fehlende Werte gehen:</translation>
    </message>
    <message>
        <source>Note on {place}: {note}</source>
        <translation>Notiz zu {place}: {note}</translation>
    </message>
    <message>
        <source>… and {n} more lines: choose larger paper.</source>
        <translation>… und {n} weitere Zeilen: Wählen Sie größeres Papier.</translation>
    </message>
    <message>
        <source>Branch below {conditions}</source>
        <translation>Zweig unter {conditions}</translation>
    </message>
    <message>
        <source>height: rows</source>
        <translation>Höhe: Zeilen</translation>
    </message>
    <message>
        <source>−log₁₀ of the adjusted p-value</source>
        <translation>−log₁₀ des angepassten p-Werts</translation>
    </message>
    <message>
        <source>LogWorth = −log₁₀ p, p adjusted for the search of the column</source>
        <translation>LogWorth = −log₁₀ p, p für die Suche in der Spalte angepasst</translation>
    </message>
    <message>
        <source>The best split of each column by Gini, and the columns by how surprising it is, so that columns with many values or levels have no advantage.</source>
        <translation>Die beste Teilung jeder Spalte nach Gini, und die Spalten danach, wie überraschend sie ist, sodass Spalten mit vielen Werten oder Ausprägungen keinen Vorteil haben.</translation>
    </message>
    <message>
        <source>p = 0.001 among 30 levels, p = 0.0001 at a single cut: 3 and 4, the cut is better.</source>
        <translation>p = 0.001 unter 30 Ausprägungen, p = 0.0001 bei einem einzigen Schnitt: 3 und 4, der Schnitt ist besser.</translation>
    </message>
    <message>
        <source>LogWorth of F</source>
        <translation>LogWorth von F</translation>
    </message>
    <message>
        <source>The best split of each column by the squared error, and the columns by how surprising it is, so that columns with many values or levels have no advantage.</source>
        <translation>Die beste Teilung jeder Spalte nach dem quadratischen Fehler, und die Spalten danach, wie überraschend sie ist, sodass Spalten mit vielen Werten oder Ausprägungen keinen Vorteil haben.</translation>
    </message>
    <message>
        <source>Cross-validation: {n} of {all} folds</source>
        <translation>Kreuzvalidierung: {n} von {all} Teilen</translation>
    </message>
    <message>
        <source>folds cannot be “{folds}”; give a whole number, a fold for each row, or “each”.</source>
        <translation>folds kann nicht „{folds}“ sein; geben Sie eine ganze Zahl, einen Teil für jede Zeile oder „each“.</translation>
    </message>
    <message>
        <source>repeats cannot be {repeats}; it is a whole number of at least 1.</source>
        <translation>repeats kann nicht {repeats} sein; es ist eine ganze Zahl von mindestens 1.</translation>
    </message>
    <message>
        <source>Folds are made by group or in time, not both: leave out one of them.</source>
        <translation>Teile werden nach Gruppe oder nach Zeit gemacht, nicht nach beidem: Lassen Sie eines davon weg.</translation>
    </message>
    <message>
        <source>Folds by group or in time are counted: give folds as a whole number.</source>
        <translation>Teile nach Gruppe oder Zeit werden gezählt: Geben Sie folds als ganze Zahl.</translation>
    </message>
    <message>
        <source>These folds would be the same in each of {repeats} repeats: use 1, or folds that are dealt out at random.</source>
        <translation>Diese Teile wären in jeder der {repeats} Wiederholungen dieselben: Verwenden Sie 1 oder zufällig gebildete Teile.</translation>
    </message>
    <message>
        <source>{folds:,} folds are too many for {rows:,} training rows: use {rows:,} folds or fewer.</source>
        <translation>{folds:,} Teile sind zu viele für {rows:,} Trainingszeilen: Verwenden Sie höchstens {rows:,} Teile.</translation>
    </message>
    <message>
        <source>The forest was stopped before its first tree, so it predicts nothing: grow it again.</source>
        <translation>Der Wald wurde vor seinem ersten Baum angehalten und sagt daher nichts vorher: Lassen Sie ihn noch einmal wachsen.</translation>
    </message>
    <message>
        <source>Forest: {n} of {all} trees</source>
        <translation>Wald: {n} von {all} Bäumen</translation>
    </message>
    <message>
        <source>columns cannot be “{columns}”; it is a whole number from 1 to {n}, “sqrt”, or None for all.</source>
        <translation>columns kann nicht „{columns}“ sein; es ist eine ganze Zahl von 1 bis {n}, „sqrt“ oder None für alle.</translation>
    </message>
    <message>
        <source>Column “{column}” has no split here that could be judged: {reason}.</source>
        <translation>Spalte „{column}“ hat hier keine Teilung, die sich beurteilen ließe: {reason}.</translation>
    </message>
    <message>
        <source>A recipe cannot be {given}; give search options, a tree, a split or a Recipe.</source>
        <translation>Ein Rezept kann nicht {given} sein; geben Sie Suchoptionen, einen Baum, eine Teilung oder ein Recipe.</translation>
    </message>
    <message>
        <source>A recipe says what is made by one of search, tree and split; {n} of them were given.</source>
        <translation>Ein Rezept sagt mit einem von search, tree und split, was gemacht wird; {n} davon wurden gegeben.</translation>
    </message>
    <message>
        <source>The validation share cannot be {share:g}; it is a fraction from 0 to below 1.</source>
        <translation>Der Validierungsanteil kann nicht {share:g} sein; er ist ein Bruchteil von 0 bis unter 1.</translation>
    </message>
    <message>
        <source>Sample {n} of {all}</source>
        <translation>Stichprobe {n} von {all}</translation>
    </message>
    <message>
        <source>samples cannot be {samples}; it is a whole number of at least 1.</source>
        <translation>samples kann nicht {samples} sein; es ist eine ganze Zahl von mindestens 1.</translation>
    </message>
    <message>
        <source>rows cannot be “{rows}”; choose one of {kinds}.</source>
        <translation>rows kann nicht „{rows}“ sein; wählen Sie eines von {kinds}.</translation>
    </message>
    <message>
        <source>“{column}” has {groups:,} groups among the training rows, too few for {folds:,} folds: use {groups:,} folds or fewer.</source>
        <translation>„{column}“ hat unter den Trainingszeilen {groups:,} Gruppen, zu wenige für {folds:,} Teile: Verwenden Sie höchstens {groups:,} Teile.</translation>
    </message>
    <message>
        <source>“{column}” has categories without an order, so no row comes before another: choose a column of dates or numbers, or make it ordered.</source>
        <translation>„{column}“ hat Kategorien ohne Ordnung, also kommt keine Zeile vor einer anderen: Wählen Sie eine Spalte mit Daten oder Zahlen, oder machen Sie sie geordnet.</translation>
    </message>
    <message>
        <source>“{column}” has no value in {rows:,} training rows, so they have no place in time: fill it in, or leave these rows out.</source>
        <translation>„{column}“ hat in {rows:,} Trainingszeilen keinen Wert, also haben sie keinen Platz in der Zeit: Tragen Sie ihn ein, oder schließen Sie diese Zeilen aus.</translation>
    </message>
    <message>
        <source>“{column}” has too few different times among the training rows for {folds:,} folds: use fewer folds.</source>
        <translation>„{column}“ hat unter den Trainingszeilen zu wenige verschiedene Zeiten für {folds:,} Teile: Verwenden Sie weniger Teile.</translation>
    </message>
    <message>
        <source>Growing: {column}</source>
        <translation>Wachsen: {column}</translation>
    </message>
    <message>
        <source>Trying all trees</source>
        <translation>Alle Bäume werden versucht</translation>
    </message>
    <message>
        <source>Penguins</source>
        <translation>Pinguine</translation>
    </message>
    <message>
        <source>344 penguins of three species near Palmer Station, Antarctica: tell the species from bill, flipper and weight.</source>
        <translation>344 Pinguine dreier Arten bei der Palmer-Station in der Antarktis: Welche Art ist es, nach Schnabel, Flosse und Gewicht?</translation>
    </message>
    <message>
        <source>Cats</source>
        <translation>Katzen</translation>
    </message>
    <message>
        <source>Six adoptions from a cat shelter, small enough to grow the tree by hand: which ones succeed?</source>
        <translation>Sechs Vermittlungen aus einem Tierheim, wenig genug, um den Baum von Hand zu ziehen: Welche gelingen?</translation>
    </message>
    <message>
        <source>XOR</source>
        <translation>XOR</translation>
    </message>
    <message>
        <source>Four rows that no single split improves: the first one gains nothing, the second solves it.</source>
        <translation>Vier Zeilen, bei denen keine einzelne Teilung hilft: Die erste gewinnt nichts, die zweite löst es.</translation>
    </message>
    <message>
        <source>Weather</source>
        <translation>Wetter</translation>
    </message>
    <message>
        <source>Fourteen Saturdays: do they play, given outlook, temperature, humidity and wind?</source>
        <translation>Vierzehn Samstage: Wird gespielt, je nach Wetterlage, Temperatur, Luftfeuchte und Wind?</translation>
    </message>
    <message>
        <source>Concrete</source>
        <translation>Beton</translation>
    </message>
    <message>
        <source>1,030 mixes of concrete: how strong does each become, given its ingredients in kg/m³ and its age in days?</source>
        <translation>1,030 Betonmischungen: Wie fest wird jede, je nach Zutaten in kg/m³ und Alter in Tagen?</translation>
    </message>
    <message>
        <source>Quadrants</source>
        <translation>Quadranten</translation>
    </message>
    <message>
        <source>200 points in a square, class c1 where x₁·x₂&#xa0;&gt;&#xa0;0: one split down the middle changes nothing, two levels leave no error.</source>
        <translation>200 Punkte in einem Quadrat, Klasse c1, wo x₁·x₂&#xa0;&gt;&#xa0;0: Eine Teilung in der Mitte ändert nichts, zwei Ebenen lassen keinen Fehler.</translation>
    </message>
    <message>
        <source>Stopping early</source>
        <translation>Zu früh aufgehört</translation>
    </message>
    <message>
        <source>Two yes-or-no questions that tell nothing alone: whoever asks each split for a gain stops at error ½, whoever goes on reaches 0.</source>
        <translation>Zwei Ja-Nein-Fragen, die allein nichts sagen: Wer von jeder Teilung Gewinn verlangt, bleibt beim Fehler ½ stehen, wer weitermacht, erreicht 0.</translation>
    </message>
    <message>
        <source>Why the training error sees nothing</source>
        <translation>Warum der Trainingsfehler nichts sieht</translation>
    </message>
    <message>
        <source>Ten rows, one question: shares of 0.8 become 0.6 and 1.0, which every criterion but the training error calls progress.</source>
        <translation>Zehn Zeilen, eine Frage: Aus Anteilen von 0.8 werden 0.6 und 1.0, was jedes Kriterium außer dem Trainingsfehler einen Fortschritt nennt.</translation>
    </message>
    <message>
        <source>Reduced-error pruning</source>
        <translation>Stutzen nach reduziertem Fehler</translation>
    </message>
    <message>
        <source>Fourteen rows grow a tree of four questions, ten others prune it: X₄ goes first, then X₃, for the counts have changed.</source>
        <translation>Vierzehn Zeilen lassen einen Baum mit vier Fragen wachsen, zehn andere stutzen ihn: Zuerst geht X₄, dann X₃, denn die Zahlen haben sich geändert.</translation>
    </message>
    <message>
        <source>Association</source>
        <translation>Zusammenhang</translation>
    </message>
    <message>
        <source>−log₁₀ of the p-value of a test of independence</source>
        <translation>−log₁₀ des p-Werts eines Unabhängigkeitstests</translation>
    </message>
    <message>
        <source>−log₁₀ p of the test that the column and the target are independent</source>
        <translation>−log₁₀ p des Tests, dass Spalte und Ziel unabhängig sind</translation>
    </message>
    <message>
        <source>First the column: by how surprising its association with the target is, before any split is looked for. Then its best split, as ctree does.</source>
        <translation>Zuerst die Spalte: danach, wie überraschend ihr Zusammenhang mit dem Ziel ist, bevor eine Teilung gesucht wird. Dann ihre beste Teilung, wie ctree es macht.</translation>
    </message>
    <message>
        <source>p = 0.001 for a column of 30 levels, p = 0.0001 for a number: 3 and 4, the number is split.</source>
        <translation>p = 0.001 für eine Spalte mit 30 Stufen, p = 0.0001 für eine Zahl: 3 und 4, die Zahl wird geteilt.</translation>
    </message>
    <message>
        <source>It was stopped before anything was found.</source>
        <translation>Gestoppt, bevor etwas gefunden war.</translation>
    </message>
    <message>
        <source>Judging</source>
        <translation>Beurteilen läuft</translation>
    </message>
    <message>
        <source>A workbook holds no more than {rows:,} rows and {columns:,} columns: write CSV or Parquet.</source>
        <translation>Eine Arbeitsmappe fasst höchstens {rows:,} Zeilen und {columns:,} Spalten: Schreiben Sie CSV oder Parquet.</translation>
    </message>
    <message>
        <source>A cell of a workbook holds no more than {most:,} letters, but “{start}…” is longer: write CSV or Parquet.</source>
        <translation>Eine Zelle einer Arbeitsmappe fasst höchstens {most:,} Zeichen, aber „{start}…“ ist länger: Schreiben Sie CSV oder Parquet.</translation>
    </message>
    <message>
        <source>The dates in “{name}” could be day/month or month/day: write them as 2024-12-31.</source>
        <translation>Die Daten in „{name}“ könnten Tag/Monat oder Monat/Tag sein: Schreiben Sie sie als 2024-12-31.</translation>
    </message>
    <message>
        <source>The numbers in “{name}” are written in two ways, with and without % signs or marks between thousands: write them in one.</source>
        <translation>Die Zahlen in „{name}“ sind auf zweierlei Weise geschrieben, mit und ohne Prozentzeichen oder Tausendertrennzeichen: Schreiben Sie sie einheitlich.</translation>
    </message>
    <message>
        <source>“{name}” cannot be written: “{suffix}” is none of {known}.</source>
        <translation>„{name}“ kann nicht geschrieben werden: „{suffix}“ ist keines von {known}.</translation>
    </message>
    <message>
        <source>“{path}” holds the rows that are to be scored: choose another name.</source>
        <translation>„{path}“ enthält die Zeilen, die bewertet werden sollen: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Writing {label} was stopped.</source>
        <translation>Das Schreiben von {label} wurde angehalten.</translation>
    </message>
    <message>
        <source>Wrote {n:,} rows</source>
        <translation>{n:,} Zeilen geschrieben</translation>
    </message>
    <message>
        <source>Scoring {label} was stopped.</source>
        <translation>Die Bewertung von {label} wurde angehalten.</translation>
    </message>
    <message>
        <source>Scored {n:,} rows</source>
        <translation>{n:,} Zeilen bewertet</translation>
    </message>
    <message>
        <source>{label} lacks what the tree splits on: {names}; add each column, or rename the one that holds it.</source>
        <translation>In {label} fehlt, wonach der Baum teilt: {names}; fügen Sie jede Spalte hinzu, oder benennen Sie die um, die sie enthält.</translation>
    </message>
    <message>
        <source>{n:,} cells begin like a formula: an apostrophe was written before each.</source>
        <translation>{n:,} Zellen beginnen wie eine Formel: Vor jede wurde ein Apostroph geschrieben.</translation>
    </message>
    <message>
        <source>permutations cannot be {n}; it is a number from 0 on.</source>
        <translation>permutations kann nicht {n} sein; es ist eine Zahl ab 0.</translation>
    </message>
    <message>
        <source>Permutation {n} of {all}</source>
        <translation>Permutation {n} von {all}</translation>
    </message>
    <message>
        <source>folds cannot be {n}; it is a number from 2 to that of the training rows.</source>
        <translation>folds kann nicht {n} sein; es ist eine Zahl von 2 bis zur Anzahl der Trainingszeilen.</translation>
    </message>
    <message>
        <source>{n} of {all} trees</source>
        <translation>{n} von {all} Bäumen</translation>
    </message>
    <message>
        <source>{file}, line {line}: “{text}” declares no column: write @attribute, a name and a type.</source>
        <translation>{file}, Zeile {line}: „{text}“ vereinbart keine Spalte: schreiben Sie @attribute, einen Namen und einen Typ.</translation>
    </message>
    <message>
        <source>{file} is no ARFF file, as it has no @attribute before its @data: choose another file.</source>
        <translation>{file} ist keine ARFF-Datei, denn vor @data steht kein @attribute: wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{file}, line {line}: columns of type “{text}” cannot be read: leave the column out.</source>
        <translation>{file}, Zeile {line}: Spalten vom Typ „{text}“ können nicht gelesen werden: lassen Sie die Spalte weg.</translation>
    </message>
    <message>
        <source>{file}, line {line}: “{text}” does not fit the {n} columns of the header: correct the line.</source>
        <translation>{file}, Zeile {line}: „{text}“ passt nicht zu den {n} Spalten des Kopfes: berichtigen Sie die Zeile.</translation>
    </message>
    <message>
        <source>{file}, line {line}: “{text}” is no declared level of “{column}”: add it to the header.</source>
        <translation>{file}, Zeile {line}: „{text}“ ist keine vereinbarte Ausprägung von „{column}“: ergänzen Sie sie im Kopf.</translation>
    </message>
    <message>
        <source>{file}, line {line}: “{text}” in “{column}” is no number: correct it, or write ? for missing.</source>
        <translation>{file}, Zeile {line}: „{text}“ in „{column}“ ist keine Zahl: berichtigen Sie sie, oder schreiben Sie ? für fehlend.</translation>
    </message>
    <message>
        <source>{file}, line {line}: “{text}” in “{column}” is no date as declared: correct it, or write ?.</source>
        <translation>{file}, Zeile {line}: „{text}“ in „{column}“ ist kein Datum wie vereinbart: berichtigen Sie es, oder schreiben Sie ?.</translation>
    </message>
    <message>
        <source>The rows carry weights: they are the column “{name}”; choose its role.</source>
        <translation>Die Zeilen tragen Gewichte: sie stehen in der Spalte „{name}“; wählen Sie deren Rolle.</translation>
    </message>
    <message>
        <source>Page of the handbook</source>
        <translation>Seite des Handbuchs</translation>
    </message>
    <message>
        <source>Handbook — Espalier</source>
        <translation>Handbuch — Espalier</translation>
    </message>
    <message>
        <source>Search the handbook</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>Zurück (Alt+Links)</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>Vorwärts (Alt+Rechts)</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>The handbook is in English.</source>
        <translation>Das Handbuch ist auf Englisch.</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>Click Penguins among the examples: 344 birds of three species, with their measures.</source>
        <translation>Klicken Sie unter den Beispielen auf Penguins: 344 Vögel dreier Arten, mit ihren Maßen.</translation>
    </message>
    <message>
        <source>One leaf holds all training rows. At the right are the candidates: the best split of every column, with its gain.</source>
        <translation>Ein Blatt enthält alle Trainingszeilen. Rechts stehen die Kandidaten: die beste Teilung jeder Spalte, mit ihrem Gewinn.</translation>
    </message>
    <message>
        <source>Move the mouse over the candidates at the right: the tree shows what each of them would make.</source>
        <translation>Bewegen Sie die Maus rechts über die Kandidaten: Der Baum zeigt, was jeder von ihnen bewirken würde.</translation>
    </message>
    <message>
        <source>The dark bar is the gain on the training rows, which chose the split; the thin one below it is the gain on validation rows, which did not.</source>
        <translation>Der dunkle Balken ist der Gewinn auf den Trainingszeilen, die die Teilung gewählt haben; der dünne darunter ist der Gewinn auf den Validierungszeilen, die sie nicht gewählt haben.</translation>
    </message>
    <message>
        <source>Double-click the first candidate to split the leaf by it.</source>
        <translation>Doppelklicken Sie auf den ersten Kandidaten, um das Blatt danach zu teilen.</translation>
    </message>
    <message>
        <source>The leaf became two, and the worse one is selected. Ctrl+Z takes a step back; try a split of your own whenever you like.</source>
        <translation>Aus dem Blatt wurden zwei, und das schlechtere ist ausgewählt. Strg+Z macht einen Schritt rückgängig; versuchen Sie jederzeit eine eigene Teilung.</translation>
    </message>
    <message>
        <source>Press Go: the program splits on as long as the validation rows gain by it.</source>
        <translation>Drücken Sie Los: Das Programm teilt weiter, solange die Validierungszeilen dabei gewinnen.</translation>
    </message>
    <message>
        <source>Compare the training error with the validation error in the fit of the tree: the second one tells what to expect of birds that nobody has seen yet.</source>
        <translation>Vergleichen Sie in der Güte des Baumes den Trainingsfehler mit dem Validierungsfehler: Der zweite sagt, was bei Vögeln zu erwarten ist, die noch niemand gesehen hat.</translation>
    </message>
    <message>
        <source>Press Prune: it cuts back what does not hold on the validation rows.</source>
        <translation>Drücken Sie Stutzen: Es schneidet zurück, was auf den Validierungszeilen nicht hält.</translation>
    </message>
    <message>
        <source>Every point of the chart is a tree: hover it to see its outline, click it to put it on the canvas.</source>
        <translation>Jeder Punkt des Diagramms ist ein Baum: Zeigen Sie mit der Maus darauf, um seine Gliederung zu sehen, klicken Sie ihn an, um ihn auf die Zeichenfläche zu bringen.</translation>
    </message>
    <message>
        <source>Open Judge ▸ Resampling in the strip below and press Run: other samples of the rows are asked about the tree.</source>
        <translation>Öffnen Sie unten Beurteilen ▸ Resampling und drücken Sie auf Starten: Andere Stichproben der Zeilen werden nach dem Baum gefragt.</translation>
    </message>
    <message>
        <source>The table says how far the error moves from sample to sample. F1 opens the handbook at the page of the panel that you work in. That was the tour.</source>
        <translation>Die Tabelle sagt, wie weit der Fehler von Stichprobe zu Stichprobe schwankt. F1 öffnet das Handbuch auf der Seite des Bereichs, in dem Sie arbeiten. Das war der Rundgang.</translation>
    </message>
    <message>
        <source>Guided tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>Leave the tour</source>
        <translation>Rundgang verlassen</translation>
    </message>
    <message>
        <source>{step} of {steps}</source>
        <translation>{step} von {steps}</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Judging the tree</source>
        <translation>Der Baum wird beurteilt</translation>
    </message>
    <message>
        <source>ROC</source>
        <translation>ROC</translation>
    </message>
    <message>
        <source>false positive rate</source>
        <translation>Falsch-positiv-Rate</translation>
    </message>
    <message>
        <source>true positive rate</source>
        <translation>Richtig-positiv-Rate</translation>
    </message>
    <message>
        <source>Rows of {name} that are called so, against other rows that are; the grey line is chance</source>
        <translation>Zeilen von {name}, die so vorhergesagt werden, gegen andere Zeilen, die es werden; die graue Linie ist der Zufall</translation>
    </message>
    <message>
        <source>Precision and recall</source>
        <translation>Präzision und Recall</translation>
    </message>
    <message>
        <source>recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>How many of the rows that are called {name} are so, against how many of {name} are found</source>
        <translation>Wie viele der als {name} vorhergesagten Zeilen es sind, gegen wie viele von {name} gefunden werden</translation>
    </message>
    <message>
        <source>Cumulative gains</source>
        <translation>Kumulierter Gewinn</translation>
    </message>
    <message>
        <source>share of the rows</source>
        <translation>Anteil der Zeilen</translation>
    </message>
    <message>
        <source>share of the class</source>
        <translation>Anteil der Klasse</translation>
    </message>
    <message>
        <source>Which share of {name} is among the rows of the highest probability; the grey line is chance</source>
        <translation>Welcher Anteil von {name} unter den Zeilen mit der höchsten Wahrscheinlichkeit ist; die graue Linie ist der Zufall</translation>
    </message>
    <message>
        <source>Lift</source>
        <translation>Lift</translation>
    </message>
    <message>
        <source>lift</source>
        <translation>Lift</translation>
    </message>
    <message>
        <source>How many times as frequent {name} is among the rows of the highest probability</source>
        <translation>Wievielmal so häufig {name} unter den Zeilen mit der höchsten Wahrscheinlichkeit ist</translation>
    </message>
    <message>
        <source>Response by percentile</source>
        <translation>Trefferanteil nach Perzentil</translation>
    </message>
    <message>
        <source>response</source>
        <translation>Trefferanteil</translation>
    </message>
    <message>
        <source>The share of {name} in each tenth of the rows, those of the highest probability first</source>
        <translation>Der Anteil von {name} in jedem Zehntel der Zeilen, die mit der höchsten Wahrscheinlichkeit zuerst</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>share that came true</source>
        <translation>eingetroffener Anteil</translation>
    </message>
    <message>
        <source>A dot for each leaf, with Wilson&apos;s 95 % interval: what it says of {name}, and what came true</source>
        <translation>Ein Punkt für jedes Blatt, mit Wilsons Intervall zu 95 %: was es über {name} sagt, und was eintraf</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>profit per row</source>
        <translation>Ertrag je Zeile</translation>
    </message>
    <message>
        <source>What a row earns on average if rows are acted on from each probability of {name} on; the grey line is acting on all rows, or on none</source>
        <translation>Was eine Zeile im Mittel bringt, wenn ab jeder Wahrscheinlichkeit von {name} gehandelt wird; die graue Linie ist, bei allen oder bei keiner Zeile zu handeln</translation>
    </message>
    <message>
        <source>Predicted and actual</source>
        <translation>Vorhergesagt und tatsächlich</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>actual</source>
        <translation>tatsächlich</translation>
    </message>
    <message>
        <source>A dot for each leaf: the mean of its rows, with the middle 50 % and 90 % of them</source>
        <translation>Ein Punkt für jedes Blatt: der Mittelwert seiner Zeilen, mit den mittleren 50 % und 90 % davon</translation>
    </message>
    <message>
        <source>Residuals by leaf</source>
        <translation>Residuen nach Blatt</translation>
    </message>
    <message>
        <source>leaf, from left to right</source>
        <translation>Blatt, von links nach rechts</translation>
    </message>
    <message>
        <source>actual less predicted</source>
        <translation>tatsächlich minus vorhergesagt</translation>
    </message>
    <message>
        <source>A dot for each leaf: the median residual, with the middle 50 % and 90 % of its rows</source>
        <translation>Ein Punkt für jedes Blatt: das mediane Residuum, mit den mittleren 50 % und 90 % seiner Zeilen</translation>
    </message>
    <message>
        <source>On the training rows it is best to act on none: {earned} per row.</source>
        <translation>Auf den Trainingszeilen ist es am besten, bei keiner zu handeln: {earned} je Zeile.</translation>
    </message>
    <message>
        <source>On the training rows the best threshold is {share}: {earned} per row.</source>
        <translation>Auf den Trainingszeilen ist {share} die beste Schwelle: {earned} je Zeile.</translation>
    </message>
    <message>
        <source>R² {figure}</source>
        <translation>R² {figure}</translation>
    </message>
    <message>
        <source>AUC {figure}</source>
        <translation>AUC {figure}</translation>
    </message>
    <message>
        <source>AUC {figure} ± {spread}</source>
        <translation>AUC {figure} ± {spread}</translation>
    </message>
    <message>
        <source>Chart of the tree&apos;s figures</source>
        <translation>Diagramm der Zahlen des Baumes</translation>
    </message>
    <message>
        <source>leaf #{node}</source>
        <translation>Blatt #{node}</translation>
    </message>
    <message>
        <source>{name} from {share} on</source>
        <translation>{name} ab {share}</translation>
    </message>
    <message>
        <source>The {some} largest of {n} leaves are drawn.</source>
        <translation>Gezeichnet sind die {some} größten von {n} Blättern.</translation>
    </message>
    <message>
        <source>Bold: the prediction of {what}, on average over the {n} training rows.</source>
        <translation>Dick: die Vorhersage von {what}, im Mittel über die {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>Bold: the probability of {what}, on average over the {n} training rows.</source>
        <translation>Dick: die Wahrscheinlichkeit von {what}, im Mittel über die {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>Thin: {n} of these rows, drawn at random.</source>
        <translation>Dünn: {n} dieser Zeilen, zufällig gezogen.</translation>
    </message>
    <message>
        <source>Thin: each of these rows.</source>
        <translation>Dünn: jede dieser Zeilen.</translation>
    </message>
    <message>
        <source>The prediction of {what}, on average over the {n} training rows.</source>
        <translation>Die Vorhersage von {what}, im Mittel über die {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>The probability of {what}, on average over the {n} training rows.</source>
        <translation>Die Wahrscheinlichkeit von {what}, im Mittel über die {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>From {low} to {high}; blue is below the average of all rows, orange above it.</source>
        <translation>Von {low} bis {high}; Blau liegt unter dem Durchschnitt aller Zeilen, Orange darüber.</translation>
    </message>
    <message>
        <source>Where it is missing: {value}.</source>
        <translation>Wo sie fehlt: {value}.</translation>
    </message>
    <message>
        <source>The tree does not ask it.</source>
        <translation>Der Baum fragt sie nicht ab.</translation>
    </message>
    <message>
        <source>Prediction by the values of a column</source>
        <translation>Vorhersage nach den Werten einer Spalte</translation>
    </message>
    <message>
        <source>{values}: {prediction} on average</source>
        <translation>{values}: im Mittel {prediction}</translation>
    </message>
    <message>
        <source>Confusion matrix: {part}</source>
        <translation>Konfusionsmatrix: {part}</translation>
    </message>
    <message>
        <source>Predicted {name}</source>
        <translation>Vorhergesagt {name}</translation>
    </message>
    <message>
        <source>{part}: true class, predicted class →</source>
        <translation>{part}: wahre Klasse, vorhergesagte Klasse →</translation>
    </message>
    <message>
        <source>Weight {n} of {true} is predicted {predicted}:
{of_true} of the weight of {true}, {of_predicted} of that predicted {predicted}.</source>
        <translation>Gewicht {n} von {true} wird als {predicted} vorhergesagt:
{of_true} des Gewichts von {true}, {of_predicted} dessen, was als {predicted} vorhergesagt wird.</translation>
    </message>
    <message>
        <source>{n} rows of {true} are predicted {predicted}:
{of_true} of the rows of {true}, {of_predicted} of those predicted {predicted}.</source>
        <translation>{n} Zeilen von {true} werden als {predicted} vorhergesagt:
{of_true} der Zeilen von {true}, {of_predicted} der als {predicted} vorhergesagten.</translation>
    </message>
    <message>
        <source>A click follows them through the tree.</source>
        <translation>Ein Klick folgt ihnen durch den Baum.</translation>
    </message>
    <message>
        <source>“{text}” is not a number.</source>
        <translation>„{text}“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>Columns that the tree does not ask: their values change nothing</source>
        <translation>Spalten, die der Baum nicht abfragt: Ihre Werte ändern nichts</translation>
    </message>
    <message>
        <source>Other columns: {n}</source>
        <translation>Weitere Spalten: {n}</translation>
    </message>
    <message>
        <source>Keeps this value: no change of it is proposed</source>
        <translation>Behält diesen Wert: Für ihn wird keine Änderung vorgeschlagen</translation>
    </message>
    <message>
        <source>Keep {column}</source>
        <translation>{column} behalten</translation>
    </message>
    <message>
        <source>Type a value and press Enter; leave it empty for a missing one</source>
        <translation>Tippen Sie einen Wert ein, und drücken Sie Eingabe; leer lassen für einen fehlenden</translation>
    </message>
    <message>
        <source>Pull, or press an arrow key</source>
        <translation>Ziehen, oder eine Pfeiltaste drücken</translation>
    </message>
    <message>
        <source>another level</source>
        <translation>andere Ausprägung</translation>
    </message>
    <message>
        <source>How likely it may be that a promise does not hold.</source>
        <translation>Wie wahrscheinlich es sein darf, dass ein Versprechen nicht gilt.</translation>
    </message>
    <message>
        <source>The error that is asked for.</source>
        <translation>Der Fehler, der verlangt wird.</translation>
    </message>
    <message>
        <source>These promises are about errors, shares of the rows: they need a target of classes.</source>
        <translation>Diese Versprechen handeln von Fehlern, Anteilen der Zeilen: Sie brauchen ein Ziel mit Klassen.</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>least</source>
        <translation>am kleinsten</translation>
    </message>
    <message>
        <source>By which cost the tree is measured</source>
        <translation>Nach welcher Größe der Baum gemessen wird</translation>
    </message>
    <message>
        <source>Closes “{part}”</source>
        <translation>Schließt „{part}“</translation>
    </message>
    <message>
        <source>Opens “{part}”</source>
        <translation>Öffnet „{part}“</translation>
    </message>
    <message>
        <source>Open a table: what theory promises of its tree stands here.</source>
        <translation>Öffnen Sie eine Tabelle: Hier steht, was die Theorie von ihrem Baum verspricht.</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Computing what theory promises</source>
        <translation>Berechnet, was die Theorie verspricht</translation>
    </message>
    <message>
        <source>Partial dependence needs two different columns, not “{name}” twice.</source>
        <translation>Partielle Abhängigkeit braucht zwei verschiedene Spalten, nicht zweimal „{name}“.</translation>
    </message>
    <message>
        <source>The tree divides these columns into {n:,} pieces, more than {most:,}: take one.</source>
        <translation>Der Baum teilt diese Spalten in {n:,} Stücke, mehr als {most:,}: Nehmen Sie eine.</translation>
    </message>
    <message>
        <source>Comparing “{column}”</source>
        <translation>„{column}“ wird verglichen</translation>
    </message>
    <message>
        <source>“{against}” cannot be compared with: give rest, sibling, validation or a node.</source>
        <translation>Mit „{against}“ lässt sich nicht vergleichen: Geben Sie rest, sibling, validation oder einen Knoten an.</translation>
    </message>
    <message>
        <source>There are no rows to compare with.</source>
        <translation>Es gibt keine Zeilen, mit denen zu vergleichen wäre.</translation>
    </message>
    <message>
        <source>the row</source>
        <translation>die Zeile</translation>
    </message>
    <message>
        <source>“{name}” has levels: {value} is a number.</source>
        <translation>„{name}“ hat Ausprägungen: {value} ist eine Zahl.</translation>
    </message>
    <message>
        <source>“{name}” is numeric: “{value}” is a level.</source>
        <translation>„{name}“ ist numerisch: „{value}“ ist eine Ausprägung.</translation>
    </message>
    <message>
        <source>“{wanted}” is neither “higher” nor “lower”.</source>
        <translation>„{wanted}“ ist weder „higher“ noch „lower“.</translation>
    </message>
    <message>
        <source>“{target}” is numeric: these promises are about errors, shares of the rows, so they need a target of classes.</source>
        <translation>„{target}“ ist numerisch: Diese Versprechen handeln von Fehlern, Anteilen der Zeilen, also brauchen sie eine Zielspalte mit Klassen.</translation>
    </message>
    <message>
        <source>{name} cannot be {value:g}; it is above 0 and below 1.</source>
        <translation>{name} kann nicht {value:g} sein; es liegt über 0 und unter 1.</translation>
    </message>
    <message>
        <source>No training row has weight: there is nothing to promise anything by.</source>
        <translation>Keine Trainingszeile hat Gewicht: Es gibt nichts, worauf sich ein Versprechen stützen ließe.</translation>
    </message>
    <message>
        <source>The target has no class “{name}”.</source>
        <translation>Die Zielspalte hat keine Klasse „{name}“.</translation>
    </message>
    <message>
        <source>A PDF needs a printer: write .html, and print it with a browser.</source>
        <translation>Ein PDF braucht einen Drucker: Schreiben Sie .html, und drucken Sie es mit einem Browser.</translation>
    </message>
    <message>
        <source>The report was stopped.</source>
        <translation>Der Bericht wurde angehalten.</translation>
    </message>
    <message>
        <source>Drawing the tree</source>
        <translation>Der Baum wird gezeichnet</translation>
    </message>
    <message>
        <source>“{name}” names no report; end it with one of {known}.</source>
        <translation>„{name}“ nennt keinen Bericht; der Name muss auf eines von {known} enden.</translation>
    </message>
    <message>
        <source>Assessing</source>
        <translation>Beurteilung läuft</translation>
    </message>
    <message>
        <source>Split by hand: {question}</source>
        <translation>Von Hand geteilt: {question}</translation>
    </message>
    <message>
        <source>Pinned: growing and pruning leave it as it is</source>
        <translation>Angeheftet: Wachsen und Stutzen lassen den Knoten, wie er ist</translation>
    </message>
    <message>
        <source>Locked: nothing changes at or below it</source>
        <translation>Gesperrt: An diesem Knoten und darunter ändert sich nichts</translation>
    </message>
    <message>
        <source>Predicts by hand: {label}</source>
        <translation>Von Hand gesetzte Vorhersage: {label}</translation>
    </message>
    <message>
        <source>Columns excluded from here on: {columns}</source>
        <translation>Von hier an ausgeschlossene Spalten: {columns}</translation>
    </message>
    <message>
        <source>Searched from here on by: {criterion}</source>
        <translation>Von hier an gesucht nach: {criterion}</translation>
    </message>
    <message>
        <source>Cohen’s κ</source>
        <translation>Cohens κ</translation>
    </message>
    <message>
        <source>Mean loss</source>
        <translation>Mittlerer Verlust</translation>
    </message>
    <message>
        <source>Profit per row</source>
        <translation>Ertrag je Zeile</translation>
    </message>
    <message>
        <source>RMSE</source>
        <translation>RMSE</translation>
    </message>
    <message>
        <source>Balanced accuracy is the mean share of each class’s rows that are predicted right.</source>
        <translation>Die ausgewogene Genauigkeit ist das Mittel der Anteile, zu denen die Zeilen jeder Klasse richtig vorhergesagt werden.</translation>
    </message>
    <message>
        <source>Cohen’s κ and the Matthews correlation are 1 for no error, and 0 for guesses by chance.</source>
        <translation>Cohens κ und die Korrelation nach Matthews sind 1 ohne Fehler und 0 bei zufälligem Raten.</translation>
    </message>
    <message>
        <source>AUC is the probability that of two rows of different classes the tree ranks the right one higher: 0.5 is chance, 1 is perfect.</source>
        <translation>AUC ist die Wahrscheinlichkeit, dass der Baum von zwei Zeilen verschiedener Klassen die richtige höher einordnet: 0.5 ist Zufall, 1 ist vollkommen.</translation>
    </message>
    <message>
        <source>The Brier score is the squared error of the probabilities, summed over the classes, in the mean of the rows: 0 is perfect, 2 the worst. Log-loss punishes probabilities that are sure and wrong; less is better.</source>
        <translation>Der Brier-Wert ist der quadratische Fehler der Wahrscheinlichkeiten, über die Klassen summiert, im Mittel der Zeilen: 0 ist vollkommen, 2 am schlechtesten. Log-Loss bestraft Wahrscheinlichkeiten, die sicher und falsch sind; weniger ist besser.</translation>
    </message>
    <message>
        <source>RMSE is the root of the mean squared error, in the unit of the target.</source>
        <translation>RMSE ist die Wurzel des mittleren quadratischen Fehlers, in der Einheit der Zielspalte.</translation>
    </message>
    <message>
        <source>R² is 1 for no error, and 0 where always predicting the mean would do as well.</source>
        <translation>R² ist 1 ohne Fehler und 0, wo immer den Mittelwert vorherzusagen ebenso gut wäre.</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>ignoriert</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>frequencies</source>
        <translation>Häufigkeiten</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>The tree</source>
        <translation>Der Baum</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>What was decided by hand, and why</source>
        <translation>Was von Hand entschieden wurde, und warum</translation>
    </message>
    <message>
        <source>How it was pruned</source>
        <translation>Wie gestutzt wurde</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>The picture shows {shown} of {depth} levels; what is below is drawn as leaves.</source>
        <translation>Das Bild zeigt {shown} von {depth} Ebenen; was darunter liegt, ist als Blätter gezeichnet.</translation>
    </message>
    <message>
        <source>The data</source>
        <translation>Die Daten</translation>
    </message>
    <message>
        <source>“{name}” names no hand-out; end it with .html.</source>
        <translation>„{name}“ ist kein Name für einen Handzettel; er muss auf .html enden.</translation>
    </message>
    <message>
        <source>The hand-out was stopped.</source>
        <translation>Der Handzettel wurde angehalten.</translation>
    </message>
    <message>
        <source>Node {node}: {what}</source>
        <translation>Knoten {node}: {what}</translation>
    </message>
    <message>
        <source>Of the tree for “{target}” on {table}. {train} training rows and {validation} validation rows stand here.</source>
        <translation>Aus dem Baum für „{target}“ auf {table}. Hier liegen {train} Trainingszeilen und {validation} Validierungszeilen.</translation>
    </message>
    <message>
        <source>The way to the node</source>
        <translation>Der Weg zum Knoten</translation>
    </message>
    <message>
        <source>The way to it</source>
        <translation>Der Weg dorthin</translation>
    </message>
    <message>
        <source>All rows stand in the root.</source>
        <translation>Alle Zeilen liegen in der Wurzel.</translation>
    </message>
    <message>
        <source>Its rows</source>
        <translation>Seine Zeilen</translation>
    </message>
    <message>
        <source>What its rows weigh</source>
        <translation>Was seine Zeilen wiegen</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>The sum behind its split</source>
        <translation>Die Summe hinter seiner Teilung</translation>
    </message>
    <message>
        <source>The sum behind its best split</source>
        <translation>Die Summe hinter seiner besten Teilung</translation>
    </message>
    <message>
        <source>The splits that were looked at</source>
        <translation>Die angesehenen Teilungen</translation>
    </message>
    <message>
        <source>First branch of its best split</source>
        <translation>Erster Zweig ihrer besten Teilung</translation>
    </message>
    <message>
        <source>What pruning compared</source>
        <translation>Was das Stutzen verglich</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Values are counted without the test rows.</source>
        <translation>Werte sind ohne die Testzeilen gezählt.</translation>
    </message>
    <message>
        <source>How the tree was made</source>
        <translation>Wie der Baum entstand</translation>
    </message>
    <message>
        <source>{table}, {rows} rows · {leaves} leaves, depth {depth} · {day} · Espalier {version}</source>
        <translation>{table}, {rows} Zeilen · {leaves} Blätter, Tiefe {depth} · {day} · Espalier {version}</translation>
    </message>
    <message>
        <source>Decision tree for “{target}” on {table}</source>
        <translation>Entscheidungsbaum für „{target}“ auf {table}</translation>
    </message>
    <message>
        <source>Each node says how many of the training rows reach it; the wider a branch, the more of them take it.</source>
        <translation>Jeder Knoten sagt, wie viele der Trainingszeilen ihn erreichen; je breiter ein Zweig, desto mehr nehmen ihn.</translation>
    </message>
    <message>
        <source>{table} has {rows} rows, which all train the tree.</source>
        <translation>{table} hat {rows} Zeilen, die alle den Baum trainieren.</translation>
    </message>
    <message>
        <source>{table} has {rows} rows: {train} train the tree, {validation} validate it.</source>
        <translation>{table} hat {rows} Zeilen: {train} trainieren den Baum, {validation} validieren ihn.</translation>
    </message>
    <message>
        <source>{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} are kept for the last test.</source>
        <translation>{table} hat {rows} Zeilen: {train} trainieren den Baum, {validation} validieren ihn, {test} sind für den letzten Test aufgehoben.</translation>
    </message>
    <message>
        <source>{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} tested it once.</source>
        <translation>{table} hat {rows} Zeilen: {train} trainieren den Baum, {validation} validieren ihn, {test} haben ihn einmal getestet.</translation>
    </message>
    <message>
        <source>{table} has {rows} rows: {train} train the tree, {validation} validate it, {test} tested it {looks} times.</source>
        <translation>{table} hat {rows} Zeilen: {train} trainieren den Baum, {validation} validieren ihn, {test} haben ihn {looks}-mal getestet.</translation>
    </message>
    <message>
        <source>{n} of {splits} splits were made by hand.</source>
        <translation>{n} von {splits} Teilungen wurden von Hand gemacht.</translation>
    </message>
    <message>
        <source>Search options: {options}.</source>
        <translation>Suchoptionen: {options}.</translation>
    </message>
    <message>
        <source>Leaves predict the median.</source>
        <translation>Blätter sagen den Median vorher.</translation>
    </message>
    <message>
        <source>The prior of “{name}” is {weight}.</source>
        <translation>Die A-priori-Wahrscheinlichkeit von „{name}“ ist {weight}.</translation>
    </message>
    <message>
        <source>A row of “{true}” that is called “{said}” costs {cost}.</source>
        <translation>Eine Zeile von „{true}“, die „{said}“ genannt wird, kostet {cost}.</translation>
    </message>
    <message>
        <source>{option}: {way}.</source>
        <translation>{option}: {way}.</translation>
    </message>
    <message>
        <source>“{name}” is predicted from a probability of {share} on.</source>
        <translation>„{name}“ wird ab einer Wahrscheinlichkeit von {share} vorhergesagt.</translation>
    </message>
    <message>
        <source>Acting on a row of “{name}” earns {act}, not acting {leave}.</source>
        <translation>Bei einer Zeile von „{name}“ zu handeln bringt {act}, nicht zu handeln {leave}.</translation>
    </message>
    <message>
        <source>at the root</source>
        <translation>an der Wurzel</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Why, by its note</source>
        <translation>Warum, nach der Notiz</translation>
    </message>
    <message>
        <source>Method: {method}. It made {n} trees; this report is about the one with {leaves} leaves.</source>
        <translation>Verfahren: {method}. Es machte {n} Bäume; dieser Bericht handelt von dem mit {leaves} Blättern.</translation>
    </message>
    <message>
        <source>Error by number of leaves</source>
        <translation>Fehler nach Anzahl der Blätter</translation>
    </message>
    <message>
        <source>The error of each of these trees by its number of leaves. The dotted line is the tree of this report.</source>
        <translation>Der Fehler jedes dieser Bäume nach der Zahl seiner Blätter. Die gepunktete Linie ist der Baum dieses Berichts.</translation>
    </message>
    <message>
        <source>Before pruning</source>
        <translation>Vor dem Stutzen</translation>
    </message>
    <message>
        <source>The smallest tree</source>
        <translation>Der kleinste Baum</translation>
    </message>
    <message>
        <source>This tree</source>
        <translation>Dieser Baum</translation>
    </message>
    <message>
        <source>Report made on</source>
        <translation>Bericht gemacht am</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>{part} weight by actual and predicted class</source>
        <translation>{part}: Gewicht nach wirklicher und vorhergesagter Klasse</translation>
    </message>
    <message>
        <source>{part} rows by actual and predicted class</source>
        <translation>{part}: Zeilen nach wirklicher und vorhergesagter Klasse</translation>
    </message>
    <message>
        <source>Sorted by the probability of “{name}”, P({name}). The index says how many times as frequent it is there as among all training rows.</source>
        <translation>Geordnet nach der Wahrscheinlichkeit von „{name}“, P({name}). Der Index sagt, wievielmal so häufig sie dort ist wie unter allen Trainingszeilen.</translation>
    </message>
    <message>
        <source>p, adjusted: how probable it is that training and validation rows of a leaf differ so much by chance; below 0.05 the leaf does not hold what it promises.</source>
        <translation>p, angepasst: wie wahrscheinlich es ist, dass Trainings- und Validierungszeilen eines Blattes sich durch Zufall so sehr unterscheiden; unter 0.05 hält das Blatt nicht, was es verspricht.</translation>
    </message>
    <message>
        <source>Act: whether acting on the rows of a leaf earns more than not acting, whatever the leaf predicts.</source>
        <translation>Handeln: ob es mehr einbringt, bei den Zeilen eines Blattes zu handeln als nicht zu handeln, was auch immer das Blatt vorhersagt.</translation>
    </message>
    <message>
        <source>Rows, validation</source>
        <translation>Zeilen, Validierung</translation>
    </message>
    <message>
        <source>{prediction} (by hand)</source>
        <translation>{prediction} (von Hand)</translation>
    </message>
    <message>
        <source>How good it is</source>
        <translation>Wie gut er ist</translation>
    </message>
    <message>
        <source>Training rows chose the splits, so their figures are too good. Intervals (95 %) take rows for independent; rows that chose the tree have none.</source>
        <translation>Die Trainingszeilen haben die Teilungen gewählt, ihre Zahlen sind also zu gut. Intervalle (95 %) nehmen die Zeilen als unabhängig; Zeilen, die den Baum gewählt haben, haben keine.</translation>
    </message>
    <message>
        <source>Validation rows compared {n} trees and chose among them: their figures are somewhat too good.</source>
        <translation>Validierungszeilen haben {n} Bäume verglichen und unter ihnen gewählt: Ihre Zahlen sind etwas zu gut.</translation>
    </message>
    <message>
        <source>The threshold may have been set by the curve of the validation rows: their figures may be too good.</source>
        <translation>Die Schwelle wurde vielleicht nach der Kurve der Validierungszeilen gesetzt: deren Zahlen können zu gut sein.</translation>
    </message>
    <message>
        <source>The test rows were looked at {n} times: a tree that was chosen since the first has no honest figure.</source>
        <translation>Die Testzeilen wurden {n}-mal angesehen: Ein Baum, der seit dem ersten Mal gewählt wurde, hat keine ehrliche Zahl.</translation>
    </message>
    <message>
        <source>Accuracy of always “{name}”</source>
        <translation>Genauigkeit, wenn immer „{name}“ vorhergesagt wird</translation>
    </message>
    <message>
        <source>{part} rows by class</source>
        <translation>{part}: Zeilen je Klasse</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>Recall</source>
        <translation>Recall</translation>
    </message>
    <message>
        <source>Actual</source>
        <translation>Tatsächlich</translation>
    </message>
    <message>
        <source>What matters</source>
        <translation>Was wichtig ist</translation>
    </message>
    <message>
        <source>Impurity: the share of all gain of the splits that a column has; columns of many values seem more important than they are. Permutation: by how much the loss of the validation rows grows where the column is shuffled.</source>
        <translation>Unreinheit: der Anteil einer Spalte am gesamten Gewinn der Teilungen; Spalten mit vielen Werten scheinen wichtiger, als sie sind. Permutation: um wie viel der Verlust auf den Validierungszeilen wächst, wenn die Spalte durchmischt wird.</translation>
    </message>
    <message>
        <source>The leaves</source>
        <translation>Die Blätter</translation>
    </message>
    <message>
        <source>{name}, validation</source>
        <translation>{name}, Validierung</translation>
    </message>
    <message>
        <source>Mean, validation</source>
        <translation>Mittelwert, Validierung</translation>
    </message>
    <message>
        <source>p, adjusted</source>
        <translation>p, angepasst</translation>
    </message>
    <message>
        <source>grow(D):  the rows of a node</source>
        <translation>wachse(D):  die Zeilen eines Knotens</translation>
    </message>
    <message>
        <source>    if D is pure, small or deep:</source>
        <translation>    wenn D rein, klein oder tief ist:</translation>
    </message>
    <message>
        <source>        return a leaf</source>
        <translation>        gib ein Blatt zurück</translation>
    </message>
    <message>
        <source>    S ← the split of D of most gain</source>
        <translation>    S ← die Teilung von D mit dem größten Gewinn</translation>
    </message>
    <message>
        <source>    if there is none:  return a leaf</source>
        <translation>    wenn es keine gibt:  gib ein Blatt zurück</translation>
    </message>
    <message>
        <source>    for each branch k of S:</source>
        <translation>    für jeden Zweig k von S:</translation>
    </message>
    <message>
        <source>        child k ← grow(D of k)</source>
        <translation>        Kind k ← wachse(D von k)</translation>
    </message>
    <message>
        <source>    return S with its children</source>
        <translation>    gib S mit seinen Kindern zurück</translation>
    </message>
    <message>
        <source>queue ← the root</source>
        <translation>Warteschlange ← die Wurzel</translation>
    </message>
    <message>
        <source>while there are nodes in the queue:</source>
        <translation>solange Knoten in der Warteschlange sind:</translation>
    </message>
    <message>
        <source>    v ← the first of them</source>
        <translation>    v ← der erste davon</translation>
    </message>
    <message>
        <source>    if v is pure, small or deep:  a leaf</source>
        <translation>    wenn v rein, klein oder tief ist:  ein Blatt</translation>
    </message>
    <message>
        <source>    S ← the split of v of most gain</source>
        <translation>    S ← die Teilung von v mit dem größten Gewinn</translation>
    </message>
    <message>
        <source>    if there is none:  a leaf</source>
        <translation>    wenn es keine gibt:  ein Blatt</translation>
    </message>
    <message>
        <source>    else:  split v, queue its branches</source>
        <translation>    sonst:  teile v, reihe seine Zweige ein</translation>
    </message>
    <message>
        <source>return the tree</source>
        <translation>gib den Baum zurück</translation>
    </message>
    <message>
        <source>T ← a single leaf</source>
        <translation>T ← ein einziges Blatt</translation>
    </message>
    <message>
        <source>repeat:</source>
        <translation>wiederhole:</translation>
    </message>
    <message>
        <source>    for each new leaf v of T:</source>
        <translation>    für jedes neue Blatt v von T:</translation>
    </message>
    <message>
        <source>        if pure, small or deep:  close v</source>
        <translation>        wenn rein, klein oder tief:  schließe v</translation>
    </message>
    <message>
        <source>        S(v) ← its split of most gain</source>
        <translation>        S(v) ← seine Teilung mit dem größten Gewinn</translation>
    </message>
    <message>
        <source>    v ← the leaf of most share · gain</source>
        <translation>    v ← das Blatt mit größtem Anteil · Gewinn</translation>
    </message>
    <message>
        <source>    T ← T with v split by S(v)</source>
        <translation>    T ← T, v durch S(v) geteilt</translation>
    </message>
    <message>
        <source>until no leaf is open, or T is full</source>
        <translation>bis kein Blatt offen ist oder T voll ist</translation>
    </message>
    <message>
        <source>All {n:,} training rows are “{label}”: the node is pure.</source>
        <translation>Alle {n:,} Trainingszeilen sind „{label}“: Der Knoten ist rein.</translation>
    </message>
    <message>
        <source>All {n:,} training rows have the same target value: the node is pure.</source>
        <translation>Alle {n:,} Trainingszeilen haben denselben Zielwert: Der Knoten ist rein.</translation>
    </message>
    <message>
        <source>Training rows: {n:,}. A split needs at least {least:,}, so the node stays a leaf.</source>
        <translation>Trainingszeilen: {n:,}. Eine Teilung braucht mindestens {least:,}, also bleibt der Knoten ein Blatt.</translation>
    </message>
    <message>
        <source>Maximum depth is {depth}, so the node stays a leaf.</source>
        <translation>Die Höchsttiefe ist {depth}, also bleibt der Knoten ein Blatt.</translation>
    </message>
    <message>
        <source>It predicts “{label}”.</source>
        <translation>Es sagt „{label}“ vorher.</translation>
    </message>
    <message>
        <source>It predicts {value}.</source>
        <translation>Es sagt {value} vorher.</translation>
    </message>
    <message>
        <source>No column separates these rows as the search options ask: the node stays a leaf.</source>
        <translation>Keine Spalte trennt diese Zeilen so, wie die Suchoptionen es verlangen: Der Knoten bleibt ein Blatt.</translation>
    </message>
    <message>
        <source>gain of two levels</source>
        <translation>Gewinn zweier Ebenen</translation>
    </message>
    <message>
        <source>{n} more columns</source>
        <translation>{n} weitere Spalten</translation>
    </message>
    <message>
        <source>“{split}” is the best of {n:,} columns drawn at random for this node: {noun} {value}.</source>
        <translation>„{split}“ ist die beste Teilung aus {n:,} Spalten, die für diesen Knoten zufällig gezogen wurden: {noun} {value}.</translation>
    </message>
    <message>
        <source>“{split}” is the first split that passes the test, with {noun} {value}.</source>
        <translation>„{split}“ ist die erste Teilung, die den Test besteht, mit {noun} {value}.</translation>
    </message>
    <message>
        <source>“{split}” is the only split here: {noun} {value}.</source>
        <translation>„{split}“ ist hier die einzige Teilung: {noun} {value}.</translation>
    </message>
    <message>
        <source>“{split}” has the largest {noun}, {value}, of the splits that gain at least the average of all columns; then comes “{other}”, {less}.</source>
        <translation>„{split}“ liegt vorn ({noun} {value}) unter den Teilungen, die mindestens den Durchschnitt aller Spalten gewinnen; dann kommt „{other}“ mit {less}.</translation>
    </message>
    <message>
        <source>“{split}” and “{other}” have the same {noun}, {value}: the column further left is taken.</source>
        <translation>„{split}“ und „{other}“ haben gleich viel, {noun} {value}: Genommen wird die Spalte, die weiter links steht.</translation>
    </message>
    <message>
        <source>“{split}” has the largest {noun}, {value}; then comes “{other}”, {less}.</source>
        <translation>„{split}“ liegt vorn ({noun} {value}); dann kommt „{other}“ mit {less}.</translation>
    </message>
    <message>
        <source>The best gain, {gain}, is below Minimum gain, {least}, so the node stays a leaf.</source>
        <translation>Der beste Gewinn, {gain}, liegt unter dem Mindestgewinn, {least}, also bleibt der Knoten ein Blatt.</translation>
    </message>
    <message>
        <source>No split is significant: no p-value is at most {alpha}, so the node stays a leaf.</source>
        <translation>Keine Teilung ist signifikant: Kein p-Wert ist höchstens {alpha}, daher bleibt der Knoten ein Blatt.</translation>
    </message>
    <message>
        <source>No split is significant: for none is the adjusted p-value times {n:,} columns at most {alpha}. The node stays a leaf.</source>
        <translation>Keine Teilung ist signifikant: Bei keiner ist der angepasste p-Wert mal {n:,} Spalten höchstens {alpha}. Der Knoten bleibt ein Blatt.</translation>
    </message>
    <message>
        <source>“{split}” would gain {gain}, but the tree may have at most {most:,} leaves, and other leaves come first.</source>
        <translation>„{split}“ würde {gain} gewinnen, aber der Baum darf höchstens {most:,} Blätter haben, und andere Blätter kommen zuerst.</translation>
    </message>
    <message>
        <source>“{split}” would gain {gain}, but growing was stopped.</source>
        <translation>„{split}“ würde {gain} gewinnen, aber das Wachsen wurde angehalten.</translation>
    </message>
    <message>
        <source>gain = {gain}</source>
        <translation>Gewinn = {gain}</translation>
    </message>
    <message>
        <source>gain = {gain}, of the rows that have the value, times their share</source>
        <translation>Gewinn = {gain}, der Zeilen, die den Wert haben, mal ihren Anteil</translation>
    </message>
    <message>
        <source>less the penalty for the choice of the cut: {gain} − {price} = {rest}</source>
        <translation>abzüglich des Abzugs für die Wahl des Schnitts: {gain} − {price} = {rest}</translation>
    </message>
    <message>
        <source>ratio = gain ÷ split information = {gain} ÷ {bits} = {ratio}</source>
        <translation>Verhältnis = Gewinn ÷ Teilungsinformation = {gain} ÷ {bits} = {ratio}</translation>
    </message>
    <message>
        <source>with the best splits below it: {gain}</source>
        <translation>mit den besten Teilungen darunter: {gain}</translation>
    </message>
    <message>
        <source>Predicts</source>
        <translation>Sagt vorher</translation>
    </message>
    <message>
        <source>Training rows</source>
        <translation>Trainingszeilen</translation>
    </message>
    <message>
        <source>Split by “{title}”: the {rows:,} training rows go into {n} branches.</source>
        <translation>Geteilt nach „{title}“: Die {rows:,} Trainingszeilen gehen in {n} Zweige.</translation>
    </message>
    <message>
        <source>{n} more leaves: less, or no split</source>
        <translation>{n} weitere Blätter: weniger, oder keine Teilung</translation>
    </message>
    <message>
        <source>Open leaf</source>
        <translation>Offenes Blatt</translation>
    </message>
    <message>
        <source>Of all open leaves the split of {node} lowers the impurity of the tree most, by {drop}.</source>
        <translation>Von allen offenen Blättern senkt die Teilung von {node} die Unreinheit des Baumes am meisten, um {drop}.</translation>
    </message>
    <message>
        <source>{node} is the only open leaf: its split lowers the impurity of the tree by {drop}.</source>
        <translation>{node} ist das einzige offene Blatt: Seine Teilung senkt die Unreinheit des Baumes um {drop}.</translation>
    </message>
    <message>
        <source>drop = share of the training rows · gain</source>
        <translation>Abfall = Anteil an den Trainingszeilen · Gewinn</translation>
    </message>
    <message>
        <source>Splits that save no training error are taken back: {n:,} leaves fewer.</source>
        <translation>Teilungen, die keinen Trainingsfehler sparen, werden zurückgenommen: {n:,} Blätter weniger.</translation>
    </message>
    <message>
        <source>errors as a leaf ≤ errors of the branch</source>
        <translation>Fehler als Blatt ≤ Fehler des Zweigs</translation>
    </message>
    <message>
        <source>Splits that save less than {price} errors for each leaf that they add are taken back: {n:,} leaves fewer.</source>
        <translation>Teilungen, die für jedes Blatt, das sie hinzufügen, weniger als {price} Fehler ersparen, werden zurückgenommen: {n:,} Blätter weniger.</translation>
    </message>
    <message>
        <source>(errors as a leaf − errors of the branch) ÷ (leaves − 1) ≤ cp · errors of the root</source>
        <translation>(Fehler als Blatt − Fehler des Zweiges) ÷ (Blätter − 1) ≤ cp · Fehler der Wurzel</translation>
    </message>
    <message>
        <source>The tree is grown: leaves {leaves:,}, depth {depth}.</source>
        <translation>Der Baum ist gewachsen: Blätter {leaves:,}, Tiefe {depth}.</translation>
    </message>
    <message>
        <source>The other {n:,} splits are found in the same way.</source>
        <translation>Die übrigen {n:,} Teilungen werden auf dieselbe Weise gefunden.</translation>
    </message>
    <message>
        <source>It may have at most {most:,} leaves, so no other leaf is split.</source>
        <translation>Er darf höchstens {most:,} Blätter haben, also wird kein weiteres Blatt geteilt.</translation>
    </message>
    <message>
        <source>The rules</source>
        <translation>Die Regeln</translation>
    </message>
    <message>
        <source>The first {shown} of {total} are shown.</source>
        <translation>Gezeigt sind die ersten {shown} von {total}.</translation>
    </message>
    <message>
        <source>The replay went wrong; the log has the details.</source>
        <translation>Bei der Wiedergabe ging etwas schief; das Protokoll enthält die Einzelheiten.</translation>
    </message>
    <message>
        <source>Preparing the replay</source>
        <translation>Wiedergabe wird vorbereitet</translation>
    </message>
    <message>
        <source>Looking at a step</source>
        <translation>Schritt wird angesehen</translation>
    </message>
    <message>
        <source>Choose what to see again, and press Start: the tree on the canvas then grows, or is cut back, one step at a time. Your own tree stays as it is.</source>
        <translation>Wählen Sie, was Sie noch einmal sehen wollen, und drücken Sie Starten: Der Baum auf der Zeichenfläche wächst dann Schritt für Schritt oder wird Schritt für Schritt gestutzt. Ihr eigener Baum bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>Open a table: how a tree grows on it is shown here step by step.</source>
        <translation>Öffnen Sie eine Tabelle: Wie ein Baum darauf wächst, wird hier Schritt für Schritt gezeigt.</translation>
    </message>
    <message>
        <source>The tree is a single leaf: there is nothing to cut back. Press Go first.</source>
        <translation>Der Baum ist ein einziges Blatt: Es gibt nichts zu stutzen. Drücken Sie zuerst Los.</translation>
    </message>
    <message>
        <source>Grows a tree on the training rows by the search options, from a single leaf.</source>
        <translation>Lässt auf den Trainingszeilen nach den Suchoptionen einen Baum wachsen, von einem einzigen Blatt an.</translation>
    </message>
    <message>
        <source>What is replayed</source>
        <translation>Was wiedergegeben wird</translation>
    </message>
    <message>
        <source>First step (Home)</source>
        <translation>Erster Schritt (Pos1)</translation>
    </message>
    <message>
        <source>One step back (Left)</source>
        <translation>Einen Schritt zurück (Links)</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>Abspielen (Leertaste)</translation>
    </message>
    <message>
        <source>One step forward (Right)</source>
        <translation>Einen Schritt vor (Rechts)</translation>
    </message>
    <message>
        <source>Last step (End)</source>
        <translation>Letzter Schritt (Ende)</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>How long a step stays while it plays</source>
        <translation>Wie lange ein Schritt beim Abspielen stehen bleibt</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>Writes this step as a page to hand out: the tree, what was compared, the sum and the algorithm</source>
        <translation>Schreibt diesen Schritt als Seite zum Austeilen: den Baum, was verglichen wurde, die Rechnung und das Verfahren</translation>
    </message>
    <message>
        <source>The algorithm</source>
        <translation>Der Algorithmus</translation>
    </message>
    <message>
        <source>Pruning: {method}</source>
        <translation>Stutzen: {method}</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Ends the replay: your own tree is on the canvas again</source>
        <translation>Beendet die Wiedergabe: Ihr eigener Baum steht wieder auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>Shows the first step on the canvas</source>
        <translation>Zeigt den ersten Schritt auf der Zeichenfläche</translation>
    </message>
    <message>
        <source>Preparing the replay…</source>
        <translation>Wiedergabe wird vorbereitet…</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Anhalten (Leertaste)</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>The program whose printout is shown</source>
        <translation>Das Programm, dessen Ausdruck gezeigt wird</translation>
    </message>
    <message>
        <source>Copies the lines that are selected; all where none is selected</source>
        <translation>Kopiert die ausgewählten Zeilen; alle, wenn keine ausgewählt ist</translation>
    </message>
    <message>
        <source>Writes the printout into a text file</source>
        <translation>Schreibt den Ausdruck in eine Textdatei</translation>
    </message>
    <message>
        <source>Printout of the tree</source>
        <translation>Ausdruck des Baumes</translation>
    </message>
    <message>
        <source>Open a table: its tree will stand here as other programs print trees.</source>
        <translation>Öffnen Sie eine Tabelle: Ihr Baum steht dann hier, wie andere Programme Bäume ausdrucken.</translation>
    </message>
    <message>
        <source>Printing the tree</source>
        <translation>Ausdruck des Baumes wird erstellt</translation>
    </message>
    <message>
        <source>The first {n} lines; Copy and Export take all.</source>
        <translation>Die ersten {n} Zeilen; Kopieren und Exportieren nehmen alle.</translation>
    </message>
    <message>
        <source>J48 predicts classes: “{target}” is a number.</source>
        <translation>J48 sagt Klassen vorher: „{target}“ ist eine Zahl.</translation>
    </message>
    <message>
        <source>it holds no leaves</source>
        <translation>das Modell enthält keine Blätter</translation>
    </message>
    <message>
        <source>line {k} is too far to the right</source>
        <translation>Zeile {k} ist zu weit rechts</translation>
    </message>
    <message>
        <source>it names its features itself: leave their names out</source>
        <translation>das Modell nennt seine Merkmale selbst: Lassen Sie ihre Namen weg</translation>
    </message>
    <message>
        <source>As printed by J48: thresholds have the digits printed; missing values go into the branch with more rows; of several other classes the wrong rows of a leaf are as many of each.</source>
        <translation>Wie von J48 ausgedruckt: Schwellen haben die ausgedruckten Stellen; fehlende Werte gehen in den Zweig mit mehr Zeilen; bei mehreren anderen Klassen verteilen sich die falschen Zeilen eines Blattes gleichmäßig auf sie.</translation>
    </message>
    <message>
        <source>“{condition}” is neither a leaf nor followed by branches</source>
        <translation>„{condition}“ ist weder ein Blatt, noch folgen darauf Zweige</translation>
    </message>
    <message>
        <source>“{condition}” and its siblings are no split of J48</source>
        <translation>„{condition}“ und seine Geschwister sind keine Teilung von J48</translation>
    </message>
    <message>
        <source>the branches of “{name}” are not two sides of one number</source>
        <translation>die Zweige von „{name}“ sind nicht zwei Seiten einer Zahl</translation>
    </message>
    <message>
        <source>it asks “{name}” for numbers and for categories</source>
        <translation>das Modell fragt bei „{name}“ nach Zahlen und nach Kategorien</translation>
    </message>
    <message>
        <source>“{text}” is no number</source>
        <translation>„{text}“ ist keine Zahl</translation>
    </message>
    <message>
        <source>No printout is called “{program}”; choose one of {programs}.</source>
        <translation>Kein Ausdruck heißt „{program}“; möglich sind {programs}.</translation>
    </message>
    <message>
        <source>rpart splits nodes in two: the split of {column} at node {node} has {n} branches.</source>
        <translation>rpart teilt Knoten in zwei: Die Teilung nach {column} an Knoten {node} hat {n} Zweige.</translation>
    </message>
    <message>
        <source>the line “node), split, n, …” is not there</source>
        <translation>die Zeile „node), split, n, …“ ist nicht da</translation>
    </message>
    <message>
        <source>node {node} is printed twice, or before its parent</source>
        <translation>Knoten {node} ist zweimal gedruckt oder vor seinem Elternknoten</translation>
    </message>
    <message>
        <source>node {node} has one branch</source>
        <translation>Knoten {node} hat einen einzigen Zweig</translation>
    </message>
    <message>
        <source>As printed by rpart: figures have the digits printed, levels end at commas, and missing values go into the branch with more rows, for surrogates are not printed.</source>
        <translation>Wie von rpart gedruckt: Zahlen haben die gedruckten Stellen, Ausprägungen enden an Kommas, und fehlende Werte gehen in den Zweig mit mehr Zeilen, denn Ersatzteilungen werden nicht gedruckt.</translation>
    </message>
    <message>
        <source>As printed by rpart: figures have the digits printed, and missing values go into the branch with more rows, for surrogates are not printed. Levels with commas are told apart by those of the table.</source>
        <translation>Wie von rpart gedruckt: Zahlen haben die gedruckten Stellen, und fehlende Werte gehen in den Zweig mit mehr Zeilen, denn Ersatzteilungen werden nicht gedruckt. Ausprägungen mit Kommas werden an denen der Tabelle erkannt.</translation>
    </message>
    <message>
        <source>Which class each probability is of is not printed: the labels show it.</source>
        <translation>Zu welcher Klasse jede Wahrscheinlichkeit gehört, wird nicht gedruckt: die Vorhersagen zeigen es.</translation>
    </message>
    <message>
        <source>“{line}” is no node of rpart</source>
        <translation>„{line}“ ist kein Knoten von rpart</translation>
    </message>
    <message>
        <source>its nodes have not equally many probabilities</source>
        <translation>seine Knoten haben nicht gleich viele Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>it predicts {labels} classes and has {n} probabilities</source>
        <translation>er sagt {labels} Klassen vorher und hat {n} Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>“{line}” holds what is no probability</source>
        <translation>„{line}“ enthält, was keine Wahrscheinlichkeit ist</translation>
    </message>
    <message>
        <source>it predicts “{label}”, which is none of the classes</source>
        <translation>er sagt „{label}“ vorher, was keine der Klassen ist</translation>
    </message>
    <message>
        <source>“{condition}” and its sibling are no split of rpart</source>
        <translation>„{condition}“ und ihr Geschwister sind keine Teilung von rpart</translation>
    </message>
    <message>
        <source>“{text}” may be several lists of categories of “{name}”, for some have commas in their names: rename these, and print the tree again</source>
        <translation>„{text}“ kann mehrere Listen von Kategorien von „{name}“ bedeuten, denn manche haben Kommas im Namen: diese umbenennen und den Baum noch einmal drucken</translation>
    </message>
    <message>
        <source>as a leaf</source>
        <translation>als Blatt</translation>
    </message>
    <message>
        <source>with its branches</source>
        <translation>mit seinen Zweigen</translation>
    </message>
    <message>
        <source>a leaf may be worse by</source>
        <translation>ein Blatt darf schlechter sein um</translation>
    </message>
    <message>
        <source>The node becomes a leaf.</source>
        <translation>Der Knoten wird ein Blatt.</translation>
    </message>
    <message>
        <source>The split stays.</source>
        <translation>Die Teilung bleibt.</translation>
    </message>
    <message>
        <source>a leaf “{label}”</source>
        <translation>ein Blatt „{label}“</translation>
    </message>
    <message>
        <source>its branch {branch}</source>
        <translation>sein Zweig {branch}</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie er ist</translation>
    </message>
    <message>
        <source>{node} saves no training error: it becomes a leaf before anything else is asked.</source>
        <translation>{node} erspart keinen Trainingsfehler: Der Knoten wird ein Blatt, bevor nach anderem gefragt wird.</translation>
    </message>
    <message>
        <source>The least estimate for {node}: {choice}, {value}.</source>
        <translation>Die kleinste Schätzung für {node}: {choice}, {value}.</translation>
    </message>
    <message>
        <source>{node}: {choice}. Errors to be expected: {value}.</source>
        <translation>{node}: {choice}. Zu erwartende Fehler: {value}.</translation>
    </message>
    <message>
        <source>{n:,} more splits</source>
        <translation>{n:,} weitere Teilungen</translation>
    </message>
    <message>
        <source>Best-first growth made the split of {node} last: {before:,} leaves become {leaves:,}.</source>
        <translation>Das Bestes-zuerst-Wachsen machte die Teilung von {node} zuletzt: Aus {before:,} Blättern werden {leaves:,}.</translation>
    </message>
    <message>
        <source>The cut of {node} lowers the validation error most, by {value}: {before:,} leaves become {leaves:,}.</source>
        <translation>Der Schnitt von {node} senkt den Validierungsfehler am meisten, um {value}: Aus {before:,} Blättern werden {leaves:,}.</translation>
    </message>
    <message>
        <source>Every cut does harm; that of {node} does least: it raises the validation error by {value}.</source>
        <translation>Jeder Schnitt schadet; der von {node} am wenigsten: Er hebt den Validierungsfehler um {value}.</translation>
    </message>
    <message>
        <source>{node} is the weakest link: its branch saves least for each of its leaves, {value}. {before:,} leaves become {leaves:,}.</source>
        <translation>{node} ist das schwächste Glied: Sein Zweig erspart je Blatt am wenigsten, {value}. Aus {before:,} Blättern werden {leaves:,}.</translation>
    </message>
    <message>
        <source>{n:,} splits are the weakest links: their branches save least for each of their leaves, {value}. {before:,} leaves become {leaves:,}.</source>
        <translation>{n:,} Teilungen sind die schwächsten Glieder: Ihre Zweige ersparen je Blatt am wenigsten, {value}. Aus {before:,} Blättern werden {leaves:,}.</translation>
    </message>
    <message>
        <source>Cross-validated error</source>
        <translation>Kreuzvalidierter Fehler</translation>
    </message>
    <message>
        <source>Error + √(s ÷ m)</source>
        <translation>Fehler + √(s ÷ m)</translation>
    </message>
    <message>
        <source>The best pruning with {leaves:,} leaves. {name}: {value}.</source>
        <translation>Der beste gestutzte Baum mit {leaves:,} Blättern. {name}: {value}.</translation>
    </message>
    <message>
        <source>Chosen: the tree with {leaves:,} leaves. {name}: {value}.</source>
        <translation>Gewählt: der Baum mit {leaves:,} Blättern. {name}: {value}.</translation>
    </message>
    <message>
        <source>Chosen: the smallest tree within the standard errors, {leaves:,} leaves. {name}: {value}; the least is {least}, with {more:,} leaves.</source>
        <translation>Gewählt: der kleinste Baum innerhalb der Standardfehler, mit {leaves:,} Blättern. {name}: {value}; am kleinsten ist {least}, mit {more:,} Blättern.</translation>
    </message>
    <message>
        <source>Chosen: the tree with {leaves:,} leaves. No rows judge the trees.</source>
        <translation>Gewählt: der Baum mit {leaves:,} Blättern. Keine Zeilen beurteilen die Bäume.</translation>
    </message>
    <message>
        <source>α = c · √((ln PATHS + ln TREES + ln(m ÷ δ)) ÷ rows)</source>
        <translation>α = c · √((ln PATHS + ln TREES + ln(m ÷ δ)) ÷ Zeilen)</translation>
    </message>
    <message>
        <source>for each split v of T, from the root down:</source>
        <translation>für jede Teilung v von T, von der Wurzel abwärts:</translation>
    </message>
    <message>
        <source>for each split v of T, branches first:</source>
        <translation>für jede Teilung v von T, Zweige zuerst:</translation>
    </message>
    <message>
        <source>return T</source>
        <translation>gib T zurück</translation>
    </message>
    <message>
        <source>    a ← validation errors of v as a leaf</source>
        <translation>    a ← Validierungsfehler von v als Blatt</translation>
    </message>
    <message>
        <source>    b ← those of what is left below v</source>
        <translation>    b ← die von dem, was unter v bleibt</translation>
    </message>
    <message>
        <source>    if a ≤ b:  v becomes a leaf</source>
        <translation>    wenn a ≤ b:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>v becomes a leaf if a ≤ b</source>
        <translation>v wird ein Blatt, wenn a ≤ b</translation>
    </message>
    <message>
        <source>splits that save no training error become leaves</source>
        <translation>Teilungen, die keinen Trainingsfehler ersparen, werden Blätter</translation>
    </message>
    <message>
        <source>    a ← U of v as a leaf;  b ← Σ U of its leaves</source>
        <translation>    a ← U von v als Blatt;  b ← Σ U seiner Blätter</translation>
    </message>
    <message>
        <source>    c ← Σ U with its largest branch in its place</source>
        <translation>    c ← Σ U mit dem größten Zweig an seiner Stelle</translation>
    </message>
    <message>
        <source>    if a ≤ min(b, c) + 0.1:  v becomes a leaf</source>
        <translation>    wenn a ≤ min(b, c) + 0.1:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>    else if c ≤ b + 0.1:  raise it, prune again</source>
        <translation>    sonst, wenn c ≤ b + 0.1:  hebe ihn an, stutze noch einmal</translation>
    </message>
    <message>
        <source>U(N, e): the upper limit of the errors among N rows, e wrong</source>
        <translation>U(N, e): die obere Grenze der Fehler unter N Zeilen, davon e falsch</translation>
    </message>
    <message>
        <source>    a ← U of v as a leaf</source>
        <translation>    a ← U von v als Blatt</translation>
    </message>
    <message>
        <source>    b ← Σ U of the leaves that are left below v</source>
        <translation>    b ← Σ U der Blätter, die unter v bleiben</translation>
    </message>
    <message>
        <source>    if a ≤ b + 0.1:  v becomes a leaf</source>
        <translation>    wenn a ≤ b + 0.1:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>    ask each of the rules about v</source>
        <translation>    frage jede der Regeln nach v</translation>
    </message>
    <message>
        <source>    until none of them cuts any more:</source>
        <translation>    bis keine von ihnen mehr schneidet:</translation>
    </message>
    <message>
        <source>    if a rule forbids v:  it becomes a leaf</source>
        <translation>    wenn eine Regel v verbietet:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>v becomes a leaf if a rule forbids its split</source>
        <translation>v wird ein Blatt, wenn eine Regel seine Teilung verbietet</translation>
    </message>
    <message>
        <source>for each node j of T, branches first:</source>
        <translation>für jeden Knoten j von T, Zweige zuerst:</translation>
    </message>
    <message>
        <source>    T′ ← the tree of least f among</source>
        <translation>    T′ ← der Baum mit kleinstem f unter</translation>
    </message>
    <message>
        <source>        T with j as a leaf of any class,</source>
        <translation>        T mit j als Blatt irgendeiner Klasse,</translation>
    </message>
    <message>
        <source>        T with a branch of j in its place,</source>
        <translation>        T mit einem Zweig von j an dessen Stelle,</translation>
    </message>
    <message>
        <source>        T as it is</source>
        <translation>        T, wie er ist</translation>
    </message>
    <message>
        <source>    T ← T′</source>
        <translation>    T ← T′</translation>
    </message>
    <message>
        <source>f estimates the error of a tree on new rows</source>
        <translation>f schätzt den Fehler eines Baumes auf neuen Zeilen</translation>
    </message>
    <message>
        <source>    a ← errors of v as a leaf, plus ½</source>
        <translation>    a ← Fehler von v als Blatt, plus ½</translation>
    </message>
    <message>
        <source>    b ← errors of its leaves, plus ½ each</source>
        <translation>    b ← Fehler seiner Blätter, plus je ½</translation>
    </message>
    <message>
        <source>    if a ≤ b + √(b (n − b) ÷ n):  v becomes a leaf</source>
        <translation>    wenn a ≤ b + √(b (n − b) ÷ n):  v wird ein Blatt</translation>
    </message>
    <message>
        <source>v becomes a leaf if a ≤ b + SE(b)</source>
        <translation>v wird ein Blatt, wenn a ≤ b + SE(b)</translation>
    </message>
    <message>
        <source>    a ← errors per row of v as a leaf</source>
        <translation>    a ← Fehler je Zeile von v als Blatt</translation>
    </message>
    <message>
        <source>    b ← those of T*, what is left below v</source>
        <translation>    b ← die von T*, dem Rest unter v</translation>
    </message>
    <message>
        <source>    if b + α ≥ a:  v becomes a leaf</source>
        <translation>    wenn b + α ≥ a:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>v becomes a leaf if a ≤ b + α(m, n, ℓ, δ)</source>
        <translation>v wird ein Blatt, wenn a ≤ b + α(m, n, ℓ, δ)</translation>
    </message>
    <message>
        <source>    a ← bits of v as a leaf and of its classes</source>
        <translation>    a ← Bits von v als Blatt und von dessen Klassen</translation>
    </message>
    <message>
        <source>    b ← bits of its split and its branches</source>
        <translation>    b ← Bits seiner Teilung und seiner Zweige</translation>
    </message>
    <message>
        <source>T ← the whole tree</source>
        <translation>T ← der ganze Baum</translation>
    </message>
    <message>
        <source>while T has a split:</source>
        <translation>solange T eine Teilung hat:</translation>
    </message>
    <message>
        <source>    for each split t:  g(t) ← saving ÷ leaves added</source>
        <translation>    für jede Teilung t:  g(t) ← Ersparnis ÷ Blätter mehr</translation>
    </message>
    <message>
        <source>    T ← T with the splits of least g as leaves</source>
        <translation>    T ← T mit den Teilungen mit kleinstem g als Blättern</translation>
    </message>
    <message>
        <source>return the T of least error on other rows</source>
        <translation>gib das T mit kleinstem Fehler auf anderen Zeilen zurück</translation>
    </message>
    <message>
        <source>g(t) = (R(t) − R(T)) ÷ (leaves − 1), T the branch of t</source>
        <translation>g(t) = (R(t) − R(T)) ÷ (Blätter − 1), T der Zweig von t</translation>
    </message>
    <message>
        <source>    for each split t:  g(t) ← R(T) − R(t)</source>
        <translation>    für jede Teilung t:  g(t) ← R(T) − R(t)</translation>
    </message>
    <message>
        <source>    T ← T with the split of largest g as a leaf</source>
        <translation>    T ← T mit der Teilung mit größtem g als Blatt</translation>
    </message>
    <message>
        <source>return the last T before a cut does harm</source>
        <translation>gib das letzte T zurück, bevor ein Schnitt schadet</translation>
    </message>
    <message>
        <source>g(t) = R(T) − R(t), T the branch of t, on the validation rows</source>
        <translation>g(t) = R(T) − R(t), T der Zweig von t, auf den Validierungszeilen</translation>
    </message>
    <message>
        <source>    t ← the split that best-first growth made last</source>
        <translation>    t ← die Teilung, die Bestes-zuerst-Wachsen zuletzt machte</translation>
    </message>
    <message>
        <source>    T ← T with t as a leaf</source>
        <translation>    T ← T mit t als Blatt</translation>
    </message>
    <message>
        <source>return the T of least validation error</source>
        <translation>gib das T mit kleinstem Validierungsfehler zurück</translation>
    </message>
    <message>
        <source>what the split lowers the impurity of the tree by</source>
        <translation>um wie viel die Teilung die Unreinheit des Baumes senkt</translation>
    </message>
    <message>
        <source>for each number of leaves k:</source>
        <translation>für jede Anzahl k von Blättern:</translation>
    </message>
    <message>
        <source>    T(k) ← the pruning with k leaves of least error</source>
        <translation>    T(k) ← der gestutzte Baum mit k Blättern und kleinstem Fehler</translation>
    </message>
    <message>
        <source>    s ← 2k − 1, its leaves and splits</source>
        <translation>    s ← 2k − 1, seine Blätter und Teilungen</translation>
    </message>
    <message>
        <source>    f(k) ← error of T(k) + √(s ÷ m)</source>
        <translation>    f(k) ← Fehler von T(k) + √(s ÷ m)</translation>
    </message>
    <message>
        <source>return the T(k) of least f(k)</source>
        <translation>gib das T(k) mit kleinstem f(k) zurück</translation>
    </message>
    <message>
        <source>f = training error + √(s ÷ m), m training rows</source>
        <translation>f = Trainingsfehler + √(s ÷ m), m Trainingszeilen</translation>
    </message>
    <message>
        <source>    a ← v as a leaf</source>
        <translation>    a ← v als Blatt</translation>
    </message>
    <message>
        <source>    b ← what is left below v</source>
        <translation>    b ← was unter v bleibt</translation>
    </message>
    <message>
        <source>    if a is no worse:  v becomes a leaf</source>
        <translation>    wenn a nicht schlechter ist:  v wird ein Blatt</translation>
    </message>
    <message>
        <source>“{label}” compares nothing that could be shown step by step.</source>
        <translation>„{label}“ vergleicht nichts, was sich Schritt für Schritt zeigen ließe.</translation>
    </message>
    <message>
        <source>The tree is cut back: {leaves:,} of {before:,} leaves are left.</source>
        <translation>Der Baum ist gestutzt: {leaves:,} von {before:,} Blättern bleiben.</translation>
    </message>
    <message>
        <source>What is not shown is decided in the same way.</source>
        <translation>Was nicht gezeigt ist, wird auf dieselbe Weise entschieden.</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Pruning that raises branches is shown step by step for at most {most:,} splits; this tree has {n:,}.</source>
        <translation>Stutzen, das Zweige anhebt, wird für höchstens {most:,} Teilungen Schritt für Schritt gezeigt; dieser Baum hat {n:,}.</translation>
    </message>
    <message>
        <source>Splits every node in two, by Gini impurity or squared error, until no split is left.</source>
        <translation>Teilt jeden Knoten in zwei, nach der Gini-Unreinheit oder dem quadratischen Fehler, bis keine Teilung mehr bleibt.</translation>
    </message>
    <message>
        <source>By Breiman, Friedman, Olshen and Stone (Classification and Regression Trees, 1984); scikit-learn&apos;s DecisionTreeClassifier makes the same splits of numbers, exact ties apart.</source>
        <translation>Von Breiman, Friedman, Olshen und Stone (Classification and Regression Trees, 1984); der DecisionTreeClassifier von scikit-learn teilt Zahlen ebenso, außer bei genauem Gleichstand.</translation>
    </message>
    <message>
        <source>Unlike the book, missing values go into the branch that gains most instead of by surrogate splits; unlike scikit-learn, levels are split into the best two groups.</source>
        <translation>Anders als im Buch gehen fehlende Werte in den Zweig, der am meisten gewinnt, statt nach Ersatzteilungen; anders als bei scikit-learn werden Ausprägungen in die besten zwei Gruppen geteilt.</translation>
    </message>
    <message>
        <source>Splits by information gain, the drop in entropy, with one branch for each level of a column.</source>
        <translation>Teilt nach dem Informationsgewinn, dem Abfall der Entropie, mit einem Zweig für jede Ausprägung einer Spalte.</translation>
    </message>
    <message>
        <source>By Quinlan (Induction of Decision Trees, 1986).</source>
        <translation>Von Quinlan (Induction of Decision Trees, 1986).</translation>
    </message>
    <message>
        <source>Unlike ID3 as published, it also cuts numbers in two and makes splits that gain nothing yet; unlike C4.5, it does not divide the gain by the entropy of the branches.</source>
        <translation>Anders als das veröffentlichte ID3 schneidet es auch Zahlen in zwei und macht Teilungen, die noch nichts gewinnen; anders als C4.5 teilt es den Gewinn nicht durch die Entropie der Zweige.</translation>
    </message>
    <message>
        <source>Splits by the gain ratio, with one branch for each level of a column and cuts of numbers that pay for having been chosen.</source>
        <translation>Teilt nach dem Gewinnverhältnis, mit einem Zweig für jede Ausprägung einer Spalte und mit Schnitten von Zahlen, die dafür zahlen, gewählt zu sein.</translation>
    </message>
    <message>
        <source>By Quinlan (C4.5: Programs for Machine Learning, 1993); the trees are those of Weka&apos;s J48.</source>
        <translation>Von Quinlan (C4.5: Programs for Machine Learning, 1993); die Bäume sind die von J48 aus Weka.</translation>
    </message>
    <message>
        <source>Unlike ID3, it divides the gain by the entropy of the branches, and a row without a value goes into every branch, with its share of the weight. Prune it by Pessimistic.</source>
        <translation>Anders als ID3 teilt es den Gewinn durch die Entropie der Zweige, und eine Zeile ohne Wert geht in jeden Zweig, mit ihrem Anteil am Gewicht. Zum Stutzen passt Pessimistisch.</translation>
    </message>
    <message>
        <source>Always splits next the leaf whose split lowers the impurity √(q(1 − q)) of the whole tree most.</source>
        <translation>Teilt als Nächstes immer das Blatt, dessen Teilung die Unreinheit √(q(1 − q)) des ganzen Baumes am meisten senkt.</translation>
    </message>
    <message>
        <source>By Kearns and Mansour (On the Boosting Ability of Top-Down Decision Tree Learning Algorithms, 1996), who prove how fast the error falls if every split has a small advantage.</source>
        <translation>Von Kearns und Mansour (On the Boosting Ability of Top-Down Decision Tree Learning Algorithms, 1996); sie beweisen, wie schnell der Fehler fällt, wenn jede Teilung einen kleinen Vorteil hat.</translation>
    </message>
    <message>
        <source>Unlike CART it takes the best leaf first: stopped at t + 1 leaves, it is their tree after t splits.</source>
        <translation>Anders als CART nimmt es das beste Blatt zuerst: Bei t + 1 Blättern angehalten, ist es ihr Baum nach t Teilungen.</translation>
    </message>
    <message>
        <source>CART as the R package rpart grows it: nodes of at least 20 rows are split, every leaf keeps at least 7, and every new leaf has to lower the error by more than 1 % of the root&apos;s.</source>
        <translation>CART, wie das R-Paket rpart es wachsen lässt: Knoten mit mindestens 20 Zeilen werden geteilt, jedes Blatt behält mindestens 7, und jedes neue Blatt muss den Fehler um mehr als 1 % dessen der Wurzel senken.</translation>
    </message>
    <message>
        <source>By Therneau and Atkinson (An Introduction to Recursive Partitioning Using the RPART Routines, 1997).</source>
        <translation>Von Therneau und Atkinson (An Introduction to Recursive Partitioning Using the RPART Routines, 1997).</translation>
    </message>
    <message>
        <source>Unlike CART here, surrogate splits say where missing values go, and priors and costs decide the splits, too; unlike rpart, cross-validation is left to pruning.</source>
        <translation>Anders als bei CART hier sagen Ersatzteilungen, wohin fehlende Werte gehen, und A-priori-Anteile und Kosten entscheiden auch die Teilungen; anders als bei rpart bleibt die Kreuzvalidierung dem Stutzen überlassen.</translation>
    </message>
    <message>
        <source>Chooses the column with the smallest p-value of a test of independence, then its best cut, and stops where no p-value is at most 0.05.</source>
        <translation>Wählt die Spalte mit dem kleinsten p-Wert eines Unabhängigkeitstests, dann ihren besten Schnitt, und hört auf, wo kein p-Wert höchstens 0.05 ist.</translation>
    </message>
    <message>
        <source>By Hothorn, Hornik and Zeileis (Unbiased Recursive Partitioning, 2006), with the statistics of the R package partykit.</source>
        <translation>Von Hothorn, Hornik und Zeileis (Unbiased Recursive Partitioning, 2006), mit den Statistiken des R-Pakets partykit.</translation>
    </message>
    <message>
        <source>Unlike CART, columns with many values have no advantage, and the test instead of pruning decides how large the tree is.</source>
        <translation>Anders als bei CART haben Spalten mit vielen Werten keinen Vorteil, und statt des Stutzens entscheidet der Test, wie groß der Baum ist.</translation>
    </message>
    <message>
        <source>New point: predicted {prediction}, as in leaf {leaf} with {rows}.</source>
        <translation>Neuer Punkt: vorhergesagt {prediction}, wie in Blatt {leaf} mit {rows}.</translation>
    </message>
    <message>
        <source>New point: predicted {prediction}; parts of it stand in {n} leaves, for it lacks values.</source>
        <translation>Neuer Punkt: Vorhersage {prediction}; Teile von ihm stehen in {n} Blättern, denn ihm fehlen Werte.</translation>
    </message>
    <message>
        <source>In other columns it has the values of row {row}, the nearest one.</source>
        <translation>In anderen Spalten hat sie die Werte von Zeile {row}, der nächsten.</translation>
    </message>
    <message>
        <source>It has no values in other columns.</source>
        <translation>In anderen Spalten hat sie keine Werte.</translation>
    </message>
    <message>
        <source>The tree, its splits as letters</source>
        <translation>Der Baum, seine Teilungen als Buchstaben</translation>
    </message>
    <message>
        <source>{what}: step {n:,} of {all:,}</source>
        <translation>{what}: Schritt {n:,} von {all:,}</translation>
    </message>
    <message>
        <source>Of a tree for “{target}” on {table}. After this step it has {leaves:,} leaves.</source>
        <translation>Von einem Baum für „{target}“ auf {table}. Nach diesem Schritt hat er {leaves:,} Blätter.</translation>
    </message>
    <message>
        <source>The tree after this step</source>
        <translation>Der Baum nach diesem Schritt</translation>
    </message>
    <message>
        <source>The sum</source>
        <translation>Die Rechnung</translation>
    </message>
    <message>
        <source>What was compared</source>
        <translation>Was verglichen wurde</translation>
    </message>
    <message>
        <source>{format} cannot be run here, so it was not checked.</source>
        <translation>{format} lässt sich hier nicht ausführen, also wurde es nicht geprüft.</translation>
    </message>
    <message>
        <source>{language} knows no infinite numbers, but the tree asks for one in “{column}”: split it otherwise, or export another format.</source>
        <translation>{language} kennt keine unendlichen Zahlen, aber der Baum fragt nach einer in „{column}“: anders teilen oder ein anderes Format exportieren.</translation>
    </message>
    <message>
        <source>{language} cannot say “{text}”, which holds the character number 0: rename it.</source>
        <translation>{language} kann „{text}“ nicht ausdrücken, denn darin steht das Zeichen mit der Nummer 0: Benennen Sie es um.</translation>
    </message>
    <message>
        <source>it has no object “{key}”</source>
        <translation>das Modell hat kein Objekt „{key}“</translation>
    </message>
    <message>
        <source>“{key}” is no list</source>
        <translation>„{key}“ ist keine Liste</translation>
    </message>
    <message>
        <source>“{key}” holds what is no object</source>
        <translation>„{key}“ enthält, was kein Objekt ist</translation>
    </message>
    <message>
        <source>“{key}” holds what is no number</source>
        <translation>„{key}“ enthält etwas, das keine Zahl ist</translation>
    </message>
    <message>
        <source>“{key}” holds what is no whole number</source>
        <translation>„{key}“ enthält etwas, das keine ganze Zahl ist</translation>
    </message>
    <message>
        <source>the leaves of tree {tree} hold linear models, not values</source>
        <translation>die Blätter von Baum {tree} enthalten lineare Modelle, keine Werte</translation>
    </message>
    <message>
        <source>tree {tree} has {n} splits and {leaves} leaves</source>
        <translation>Baum {tree} hat {n} Teilungen und {leaves} Blätter</translation>
    </message>
    <message>
        <source>a split names no set of categories</source>
        <translation>eine Teilung nennt keine Menge von Kategorien</translation>
    </message>
    <message>
        <source>a set of categories lies beyond “cat_threshold”</source>
        <translation>eine Menge von Kategorien liegt außerhalb von „cat_threshold“</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added to those of the other trees for class {k}; the sum is the score of this class.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines LightGBM-Modells ({objective}). Die Werte seiner Blätter werden zu denen der anderen Bäume für Klasse {k} addiert; die Summe ist der Punktwert dieser Klasse.</translation>
    </message>
    <message>
        <source>The only tree of a LightGBM model ({objective}). It predicts the probability of class 1.</source>
        <translation>Der einzige Baum eines LightGBM-Modells ({objective}). Er sagt die Wahrscheinlichkeit der Klasse 1 vorher.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added to those of the other trees; of the sum s the probability of class 1 is {formula}.</source>
        <translation>Baum {tree} von {n}, von 0 an gezählt, eines LightGBM-Modells ({objective}). Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; aus der Summe s folgt die Wahrscheinlichkeit der Klasse 1: {formula}.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The prediction is the mean of the values of all trees.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines LightGBM-Modells ({objective}). Die Vorhersage ist der Mittelwert der Werte aller Bäume.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a LightGBM model ({objective}). The values of its leaves are added to those of the other trees; the sum is the prediction before the objective’s last function.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines LightGBM-Modells ({objective}). Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; die Summe ist die Vorhersage vor der letzten Umrechnung der Zielfunktion.</translation>
    </message>
    <message>
        <source>The tree has {n:,} branches, but Mermaid draws {most} at most: prune it, or export DOT.</source>
        <translation>Der Baum hat {n:,} Zweige, aber Mermaid zeichnet höchstens {most}: Stutzen Sie ihn, oder exportieren Sie DOT.</translation>
    </message>
    <message>
        <source>The tree is {depth:,} levels deep; programs that run ONNX take at most {most:,}: cut it back, or approximate it.</source>
        <translation>Der Baum ist {depth:,} Ebenen tief; Programme für ONNX nehmen höchstens {most:,}: ihn zurückschneiden oder annähern.</translation>
    </message>
    <message>
        <source>The tree has {n:,} leaves; ONNX counts at most {most:,}: cut it back.</source>
        <translation>Der Baum hat {n:,} Blätter; ONNX zählt höchstens {most:,}: Stutzen Sie ihn.</translation>
    </message>
    <message>
        <source>The tree has no features, and an ONNX model needs an input: add a column.</source>
        <translation>Der Baum hat keine Merkmale, und ein ONNX-Modell braucht eine Eingabe: Fügen Sie eine Spalte hinzu.</translation>
    </message>
    <message>
        <source>ONNX cannot say “{text}”, which holds half of a character: rename it.</source>
        <translation>ONNX kann „{text}“ nicht ausdrücken, denn darin steht ein halbes Zeichen: Benennen Sie es um.</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>das Modell ist beschädigt</translation>
    </message>
    <message>
        <source>The tree in it</source>
        <translation>Der Baum darin</translation>
    </message>
    <message>
        <source>it was changed after Espalier wrote it, so it is another tree than it says</source>
        <translation>das Modell wurde geändert, nachdem Espalier es geschrieben hatte, also ist es ein anderer Baum, als es sagt</translation>
    </message>
    <message>
        <source>it has {n} tree ensembles of ai.onnx.ml, not one</source>
        <translation>das Modell hat {n} Baum-Ensembles von ai.onnx.ml, nicht eines</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of an ONNX model. The values of its leaves are added to those of the other trees; {function} makes the prediction of the sum.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines ONNX-Modells. Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; {function} macht aus der Summe die Vorhersage.</translation>
    </message>
    <message>
        <source>its features are worked out from the inputs, which cannot be read</source>
        <translation>seine Merkmale werden aus den Eingaben berechnet, was sich nicht lesen lässt</translation>
    </message>
    <message>
        <source>it has {n} features; a number from 1 to {most} can be read</source>
        <translation>das Modell hat {n} Merkmale; lesen lässt sich eine Anzahl von 1 bis {most}</translation>
    </message>
    <message>
        <source>its leaves predict several targets, or scores of several classes</source>
        <translation>seine Blätter sagen mehrere Zielspalten vorher, oder Punktwerte mehrerer Klassen</translation>
    </message>
    <message>
        <source>a node has the mode {mode}, which cannot be read</source>
        <translation>ein Knoten hat den Modus {mode}, der sich nicht lesen lässt</translation>
    </message>
    <message>
        <source>a node takes missing values for equal to {value}, which no split does</source>
        <translation>ein Knoten behandelt fehlende Werte als gleich {value}, was keine Teilung tut</translation>
    </message>
    <message>
        <source>The tree is {depth:,} levels deep; programs that run PMML take at most {most:,}: cut it back, or approximate it.</source>
        <translation>Der Baum ist {depth:,} Ebenen tief; Programme für PMML nehmen höchstens {most:,}: ihn zurückschneiden oder annähern.</translation>
    </message>
    <message>
        <source>PMML cannot say “{text}”, which holds a character that XML does not know: rename it.</source>
        <translation>PMML kann „{text}“ nicht ausdrücken, denn darin steht ein Zeichen, das XML nicht kennt: Benennen Sie es um.</translation>
    </message>
    <message>
        <source>PMML has no “at least {m} of {n}”, which can hold in {ways:,} ways; at most {most:,} are written.</source>
        <translation>PMML hat kein „mindestens {m} von {n}“, das auf {ways:,} Arten gelten kann; höchstens {most:,} werden geschrieben.</translation>
    </message>
    <message>
        <source>it defines entities of its own, which are not read</source>
        <translation>das Modell definiert eigene Entitäten, die nicht gelesen werden</translation>
    </message>
    <message>
        <source>it is damaged: {reason}</source>
        <translation>das Modell ist beschädigt: {reason}</translation>
    </message>
    <message>
        <source>its predicates are too deep to be read</source>
        <translation>seine Prädikate sind zu tief, um gelesen zu werden</translation>
    </message>
    <message>
        <source>its dictionary has no field “{name}”</source>
        <translation>sein Verzeichnis hat kein Feld „{name}“</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a PMML document.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines PMML-Dokuments.</translation>
    </message>
    <message>
        <source>At {n} splits the file predicts nothing where a value is missing; here such rows go into the branch with more rows.</source>
        <translation>An {n} Teilungen sagt die Datei nichts vorher, wo ein Wert fehlt; hier gehen solche Zeilen in den Zweig mit mehr Zeilen.</translation>
    </message>
    <message>
        <source>node {node} has no score</source>
        <translation>Knoten {node} hat keine Vorhersage (score)</translation>
    </message>
    <message>
        <source>a branch of node {node} has no predicate that can be read</source>
        <translation>ein Zweig von Knoten {node} hat kein Prädikat, das sich lesen lässt</translation>
    </message>
    <message>
        <source>the branches of node {node} do not ask fields of the model</source>
        <translation>die Zweige von Knoten {node} fragen nach keinen Feldern des Modells</translation>
    </message>
    <message>
        <source>the branches of node {node} are neither pieces of one field each, nor surrogates for it, nor at least m of n conditions and the rest</source>
        <translation>die Zweige von Knoten {node} sind weder Stücke je eines Feldes noch Ersatz dafür, noch mindestens m von n Bedingungen und der Rest</translation>
    </message>
    <message>
        <source>node {node} has no branch for the value {value}</source>
        <translation>Knoten {node} hat keinen Zweig für den Wert {value}</translation>
    </message>
    <message>
        <source>a compound predicate is joined by “{how}”, which cannot be read</source>
        <translation>ein zusammengesetztes Prädikat ist durch „{how}“ verbunden, was sich nicht lesen lässt</translation>
    </message>
    <message>
        <source>a test “{how}” of a text cannot be read</source>
        <translation>ein Test „{how}“ eines Textes lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>a test “{how}” of a number cannot be read</source>
        <translation>ein Test „{how}“ einer Zahl lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>Running this needs the program {name}, which is not installed.</source>
        <translation>Um dies auszuführen, braucht es das Programm {name}, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>{program} needs more than {minutes:,.0f} minutes for this tree, so it was not checked.</source>
        <translation>{program} braucht für diesen Baum mehr als {minutes:,.0f} Minuten, also wurde er nicht geprüft.</translation>
    </message>
    <message>
        <source>Node {node} divides rows without a value of “{column}” among all of its branches, which code cannot say: approximate it, or grow the tree with another way for missing values.</source>
        <translation>Knoten {node} verteilt Zeilen ohne Wert von „{column}“ auf alle seine Zweige, was Code nicht ausdrücken kann: Nähern Sie ihn an, oder lassen Sie den Baum mit einer anderen Wahl für fehlende Werte wachsen.</translation>
    </message>
    <message>
        <source>A {kind} is no fitted tree of scikit-learn: give a DecisionTreeClassifier or DecisionTreeRegressor after “fit”.</source>
        <translation>Ein {kind} ist kein angepasster Baum von scikit-learn: Geben Sie einen DecisionTreeClassifier oder DecisionTreeRegressor nach „fit“ an.</translation>
    </message>
    <message>
        <source>The estimator predicts {n} targets: fit a tree for each.</source>
        <translation>Der Schätzer sagt {n} Zielspalten vorher: Passen Sie für jede einen Baum an.</translation>
    </message>
    <message>
        <source>it is a tree of Espalier, which names its target, features and classes itself</source>
        <translation>er ist ein Baum von Espalier, der Ziel, Merkmale und Klassen selbst nennt</translation>
    </message>
    <message>
        <source>The estimator cannot be taken over: {why}.</source>
        <translation>Der Schätzer lässt sich nicht übernehmen: {why}.</translation>
    </message>
    <message>
        <source>“{what}” cannot be exported; choose query, prediction or leaf.</source>
        <translation>„{what}“ lässt sich nicht exportieren; möglich sind query, prediction und leaf.</translation>
    </message>
    <message>
        <source>The tree is {depth:,} levels deep, but databases refuse conditions nested deeper than {limit:,} levels: prune it, approximate it, or export Python.</source>
        <translation>Der Baum ist {depth:,} Ebenen tief, aber Datenbanken weisen Bedingungen ab, die tiefer als {limit:,} Ebenen geschachtelt sind: ihn stutzen, annähern oder Python exportieren.</translation>
    </message>
    <message>
        <source>sqlglot knows no dialect “{dialect}”; it knows {known}.</source>
        <translation>sqlglot kennt keinen Dialekt „{dialect}“; möglich sind {known}.</translation>
    </message>
    <message>
        <source>For Oracle an empty text is missing, so it cannot be a level: rename that level.</source>
        <translation>Für Oracle ist ein leerer Text ein fehlender Wert, also kann er keine Ausprägung sein: Benennen Sie diese Ausprägung um.</translation>
    </message>
    <message>
        <source>Only whole queries for DuckDB and SQLite can be run here, so this was not checked.</source>
        <translation>Nur ganze Abfragen für DuckDB und SQLite lassen sich hier ausführen, also wurde dies nicht geprüft.</translation>
    </message>
    <message>
        <source>tree {tree} has no nodes</source>
        <translation>Baum {tree} hat keine Knoten</translation>
    </message>
    <message>
        <source>“num_feature” is {n}; it is a number from 1 to {most}</source>
        <translation>„num_feature“ ist {n}; möglich ist eine Zahl von 1 bis {most}</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a treelite model ({task}). The values of its leaves are added to those of the other trees; {function} makes the prediction of the sum.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines treelite-Modells ({task}). Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; {function} macht aus der Summe die Vorhersage.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of a treelite model ({task}). The prediction is the mean of all trees.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines treelite-Modells ({task}). Die Vorhersage ist der Mittelwert aller Bäume.</translation>
    </message>
    <message>
        <source>its leaves are of the shape {shape}, which is not of one target</source>
        <translation>seine Blätter haben die Form {shape}, die nicht die einer einzigen Zielspalte ist</translation>
    </message>
    <message>
        <source>a test of “{name}” cannot be read</source>
        <translation>ein Test von „{name}“ lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>its booster is “{kind}”, which has no trees</source>
        <translation>sein Booster ist „{kind}“, der keine Bäume hat</translation>
    </message>
    <message>
        <source>the leaves of tree {tree} predict several targets</source>
        <translation>die Blätter von Baum {tree} sagen mehrere Zielspalten vorher</translation>
    </message>
    <message>
        <source>the categories of node {node} lie beyond “categories”</source>
        <translation>die Kategorien von Knoten {node} liegen außerhalb von „categories“</translation>
    </message>
    <message>
        <source>XGBoost cuts names of categories off that hold other letters than ASCII: rename these levels and fit the model again</source>
        <translation>XGBoost schneidet Namen von Kategorien ab, die andere Buchstaben als ASCII enthalten: Benennen Sie diese Ausprägungen um, und passen Sie das Modell neu an</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of its leaves are added to those of the other trees for class {k}; the sum is the score of this class.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines XGBoost-Modells ({objective}, base_score {base}). Die Werte seiner Blätter werden zu denen der anderen Bäume für Klasse {k} addiert; die Summe ist der Punktwert dieser Klasse.</translation>
    </message>
    <message>
        <source>The only tree of an XGBoost model ({objective}, base_score {base}). It predicts the probability of class 1.</source>
        <translation>Der einzige Baum eines XGBoost-Modells ({objective}, base_score {base}). Er sagt die Wahrscheinlichkeit der Klasse 1 vorher.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of its leaves are added to those of the other trees; of the sum s the probability of class 1 is {formula}.</source>
        <translation>Baum {tree} von {n}, von 0 an gezählt, eines XGBoost-Modells ({objective}, base_score {base}). Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; aus der Summe s folgt die Wahrscheinlichkeit der Klasse 1: {formula}.</translation>
    </message>
    <message>
        <source>Tree {tree} of {n}, counted from 0, of an XGBoost model ({objective}, base_score {base}). The values of its leaves are added to those of the other trees; the sum is the prediction before the objective’s last function.</source>
        <translation>Baum {tree} von {n}, gezählt ab 0, eines XGBoost-Modells ({objective}, base_score {base}). Die Werte seiner Blätter werden zu denen der anderen Bäume addiert; die Summe ist die Vorhersage vor der letzten Umrechnung der Zielfunktion.</translation>
    </message>
    <message>
        <source>Number of leaves</source>
        <translation>Anzahl der Blätter</translation>
    </message>
    <message>
        <source>This tree: {leaves} leaves</source>
        <translation>Dieser Baum: {leaves} Blätter</translation>
    </message>
    <message>
        <source>A report has no section “{name}”; it has {known}.</source>
        <translation>Ein Bericht hat keinen Abschnitt „{name}“; möglich sind {known}.</translation>
    </message>
    <message>
        <source>{what}: no picture, as nothing here can draw it.</source>
        <translation>{what}: kein Bild, denn nichts hier kann es zeichnen.</translation>
    </message>
    <message>
        <source>A slide holds {most} nodes, and this tree has {n}: prune it or fold it first, or export a picture.</source>
        <translation>Eine Folie fasst {most} Knoten, und dieser Baum hat {n}: Stutzen Sie ihn oder klappen Sie ihn zuerst ein, oder exportieren Sie ein Bild.</translation>
    </message>
    <message>
        <source>Node {node}</source>
        <translation>Knoten {node}</translation>
    </message>
    <message>
        <source>This needs the library {name}, which is not installed: run {command}.</source>
        <translation>Dies braucht die Bibliothek {name}, die nicht installiert ist: Führen Sie {command} aus.</translation>
    </message>
    <message>
        <source>“{table}” was made in memory, so a script could not read it: write it to a file and open that.</source>
        <translation>„{table}“ wurde im Speicher gemacht, also könnte ein Skript sie nicht lesen: Schreiben Sie sie in eine Datei, und öffnen Sie diese.</translation>
    </message>
    <message>
        <source>The history does not say how this tree of {n} splits came about, and a script says at most {most} one by one: export it as JSON, and read that with engine.read_tree.</source>
        <translation>Der Verlauf sagt nicht, wie dieser Baum mit {n} Teilungen entstanden ist, und ein Skript nennt höchstens {most} einzeln: Exportieren Sie ihn als JSON, und lesen Sie das mit engine.read_tree.</translation>
    </message>
    <message>
        <source>Column “{name}” has values that it did not have when it was described: the data were changed meanwhile. Open them again.</source>
        <translation>Spalte „{name}“ hat Werte, die sie nicht hatte, als sie beschrieben wurde: Die Daten wurden inzwischen geändert. Öffnen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>{address} cannot be read: {why}</source>
        <translation>{address} kann nicht gelesen werden: {why}</translation>
    </message>
    <message>
        <source>The data can no longer be read: {why}</source>
        <translation>Die Daten können nicht mehr gelesen werden: {why}</translation>
    </message>
    <message>
        <source>The address of a database ends with “::” and the name of a table.</source>
        <translation>Die Adresse einer Datenbank endet mit „::“ und dem Namen einer Tabelle.</translation>
    </message>
    <message>
        <source>The database cannot be reached: {why}</source>
        <translation>Die Datenbank ist nicht zu erreichen: {why}</translation>
    </message>
    <message>
        <source>The server refuses this user or this password: correct the user in the address and type the password again, or have the driver find it in its own file or in the environment. The driver says: {why}</source>
        <translation>Der Server lehnt diesen Benutzer oder dieses Passwort ab: Berichtigen Sie den Benutzer in der Adresse, und geben Sie das Passwort noch einmal ein, oder lassen Sie es den Treiber in seiner eigenen Datei oder in der Umgebung finden. Der Treiber sagt: {why}</translation>
    </message>
    <message>
        <source>The port in the address is no whole number up to 65535: correct it, or leave it out. In a password write “/” as %2F, “?” as %3F and “#” as %23.</source>
        <translation>Der Port in der Adresse ist keine ganze Zahl bis 65535: Berichtigen Sie ihn, oder lassen Sie ihn weg. Schreiben Sie in einem Passwort „/“ als %2F, „?“ als %3F und „#“ als %23.</translation>
    </message>
    <message>
        <source>There is no server of this name: correct the host in the address. The driver says: {why}</source>
        <translation>Es gibt keinen Server dieses Namens: Berichtigen Sie den Rechnernamen in der Adresse. Der Treiber meldet: {why}</translation>
    </message>
    <message>
        <source>The server does not answer at this port: check that the database runs, and the port in the address. The driver says: {why}</source>
        <translation>Der Server antwortet an diesem Port nicht: Prüfen Sie, ob die Datenbank läuft, und den Port in der Adresse. Der Treiber meldet: {why}</translation>
    </message>
    <message>
        <source>The server did not answer in time: check the host, the port and the network. The driver says: {why}</source>
        <translation>Der Server hat nicht rechtzeitig geantwortet: Prüfen Sie Rechnername, Port und Netzwerk. Der Treiber meldet: {why}</translation>
    </message>
    <message>
        <source>The server has no such database: correct its name, behind the host in the address. The driver says: {why}</source>
        <translation>Der Server hat keine solche Datenbank: Berichtigen Sie ihren Namen hinter dem Rechnernamen in der Adresse. Der Treiber meldet: {why}</translation>
    </message>
    <message>
        <source>There is no column “{name}” in {table}.</source>
        <translation>Es gibt keine Spalte „{name}“ in {table}.</translation>
    </message>
    <message>
        <source>The address is no file, and no URL of a database, which has “://”. Give one of these.</source>
        <translation>Die Adresse ist weder eine Datei noch die URL einer Datenbank, die „://“ enthält. Geben Sie eines davon an.</translation>
    </message>
    <message>
        <source>There is no such file: correct the path of the database.</source>
        <translation>Diese Datei gibt es nicht: Berichtigen Sie den Pfad der Datenbank.</translation>
    </message>
    <message>
        <source>Describing: {column}</source>
        <translation>Beschrieben wird: {column}</translation>
    </message>
    <message>
        <source>Counting: {column}</source>
        <translation>Gezählt wird: {column}</translation>
    </message>
    <message>
        <source>“{name}” decides which rows train and which do not, and they are counted where they are: open the data again to give it another role.</source>
        <translation>„{name}“ entscheidet, welche Zeilen trainieren und welche nicht, und sie werden gezählt, wo sie sind: Öffnen Sie die Daten neu, um der Spalte eine andere Rolle zu geben.</translation>
    </message>
    <message>
        <source>The rows are divided already, and not by “{name}”: open the data again, and choose it as the key there.</source>
        <translation>Die Zeilen sind schon aufgeteilt, und nicht nach „{name}“: Öffnen Sie die Daten neu und wählen Sie die Spalte dort als Schlüssel.</translation>
    </message>
    <message>
        <source>The rows are counted where they are: “{name}” cannot be given the role {role} now. Choose it as the data are opened.</source>
        <translation>Die Zeilen werden gezählt, wo sie sind: „{name}“ kann jetzt nicht die Rolle {role} bekommen. Wählen Sie sie beim Öffnen der Daten.</translation>
    </message>
    <message>
        <source>Rows without a value in the target “{target}” are left out.</source>
        <translation>Zeilen ohne Wert in der Zielspalte „{target}“ bleiben weg.</translation>
    </message>
    <message>
        <source>The rows are counted where they are, by the values of “{name}” as it is: open the data again, and choose its type there.</source>
        <translation>Die Zeilen werden an ihrem Ort gezählt, nach den Werten von „{name}“, wie es ist: Öffnen Sie die Daten noch einmal, und wählen Sie dort die Art.</translation>
    </message>
    <message>
        <source>The rows are counted where they are, for the target that they were opened with: open the data again, and choose “{name}” there.</source>
        <translation>Die Zeilen werden an ihrem Ort gezählt, für das Ziel, mit dem sie geöffnet wurden: Öffnen Sie die Daten noch einmal, und wählen Sie dort „{name}“.</translation>
    </message>
    <message>
        <source>The rows are counted where they are: choose their parts as the data are opened.</source>
        <translation>Die Zeilen werden an ihrem Ort gezählt: Wählen Sie die Aufteilung beim Öffnen der Daten.</translation>
    </message>
    <message>
        <source>{table} has no column to split.</source>
        <translation>{table} hat keine Spalte, die geteilt werden kann.</translation>
    </message>
    <message>
        <source>It was stopped before the rows were counted.</source>
        <translation>Es wurde angehalten, bevor die Zeilen gezählt waren.</translation>
    </message>
    <message>
        <source>The address is no file, and no URL of a database, which has “://” and ends with “::” and the name of a table. Give one of these.</source>
        <translation>Die Adresse ist keine Datei und keine URL einer Datenbank, die „://“ hat und mit „::“ und dem Namen einer Tabelle endet. Eines von beiden angeben.</translation>
    </message>
    <message>
        <source>“{name}” cannot weigh the rows and decide about their parts: choose another key.</source>
        <translation>„{name}“ kann nicht die Zeilen gewichten und zugleich über ihre Teile entscheiden: Wählen Sie einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>Only files can be kept in a store or sampled, not the table of a database: give a file, or leave out store and sample.</source>
        <translation>Nur Dateien können als Codes oder als Stichprobe gehalten werden, nicht die Tabelle einer Datenbank: eine Datei angeben, oder store und sample weglassen.</translation>
    </message>
    <message>
        <source>The codes need {need:,} MB in {folder}, where {free:,} MB are free.</source>
        <translation>Die Codes brauchen {need:,} MB in {folder}, wo {free:,} MB frei sind.</translation>
    </message>
    <message>
        <source>The codes cannot be written to {folder}: {why}. Opening the table again goes on where it was.</source>
        <translation>Die Codes können nicht in {folder} geschrieben werden: {why}. Öffnet man die Tabelle noch einmal, geht es dort weiter.</translation>
    </message>
    <message>
        <source>Waiting until other codes are written</source>
        <translation>Wartet, bis andere Codes geschrieben sind</translation>
    </message>
    <message>
        <source>Writing codes</source>
        <translation>Codes werden geschrieben</translation>
    </message>
    <message>
        <source>Writing codes was stopped after {n:,} of {all:,} rows. Opening the table again goes on there.</source>
        <translation>Das Schreiben der Codes wurde nach {n:,} von {all:,} Zeilen angehalten. Öffnet man die Tabelle noch einmal, geht es dort weiter.</translation>
    </message>
    <message>
        <source>The data were changed while they were read. Open them again.</source>
        <translation>Die Daten wurden geändert, während sie gelesen wurden. Öffnen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>“{name}” has too many different texts to split on and was left out.</source>
        <translation>„{name}“ hat zu viele verschiedene Texte, um danach zu teilen, und wurde weggelassen.</translation>
    </message>
    <message>
        <source>{label} has fewer than two columns that a tree can use: it needs a target and at least one feature.</source>
        <translation>{label} hat weniger als zwei Spalten, die ein Baum brauchen kann: er braucht eine Zielspalte und mindestens ein Merkmal.</translation>
    </message>
    <message>
        <source>“{name}” has too many different texts to put in order.</source>
        <translation>„{name}“ hat zu viele verschiedene Texte, um sie zu ordnen.</translation>
    </message>
    <message>
        <source>A sample of {n} rows is no table: draw at least 2.</source>
        <translation>Eine Stichprobe von {n} Zeilen ist keine Tabelle: mindestens 2 ziehen.</translation>
    </message>
    <message>
        <source>In &amp;memory</source>
        <translation>Im &amp;Speicher</translation>
    </message>
    <message>
        <source>Codes on &amp;disk: all rows, the same tree</source>
        <translation>Codes auf der &amp;Festplatte: alle Zeilen</translation>
    </message>
    <message>
        <source>A sam&amp;ple of the rows</source>
        <translation>Eine Stich&amp;probe der Zeilen</translation>
    </message>
    <message>
        <source>&amp;Where they are: each look counts them anew</source>
        <translation>&amp;Wo sie sind: jeder Blick zählt sie neu</translation>
    </message>
    <message>
        <source>Rows of the sample</source>
        <translation>Zeilen der Stichprobe</translation>
    </message>
    <message>
        <source>It needs more memory than is free.</source>
        <translation>Es braucht mehr Speicher, als frei ist.</translation>
    </message>
    <message>
        <source>The disk has no room for the codes.</source>
        <translation>Die Festplatte hat keinen Platz für die Codes.</translation>
    </message>
    <message>
        <source>They go to {folder}, from where they can be deleted at any time: they are made again when they are needed.</source>
        <translation>Sie kommen nach {folder} und können dort jederzeit gelöscht werden: sie werden neu gemacht, wenn sie gebraucht werden.</translation>
    </message>
    <message>
        <source>About {size}, {time}.</source>
        <translation>Etwa {size}, {time}.</translation>
    </message>
    <message>
        <source>About {size} of {free} that are free, {time}.</source>
        <translation>Etwa {size} von {free}, die frei sind, {time}.</translation>
    </message>
    <message>
        <source>About {size} of {free} that are free, {time}; later at once.</source>
        <translation>Etwa {size} von {free}, die frei sind, {time}; später sofort.</translation>
    </message>
    <message>
        <source>{share} of about {n} rows, {size} of memory, {time}. Figures are estimates.</source>
        <translation>{share} von etwa {n} Zeilen, {size} Speicher, {time}. Die Zahlen sind Schätzungen.</translation>
    </message>
    <message>
        <source>No room on the disk, {time} for each look. What needs single rows is not offered.</source>
        <translation>Kein Platz auf der Platte, {time} je Blick. Was einzelne Zeilen braucht, wird nicht angeboten.</translation>
    </message>
    <message>
        <source>The tree has {leaves:,} leaves, too many for formulas: with {letters:,} letters at most in each, it needs more than {most:,} of them in a row. Prune it, or export another format.</source>
        <translation>Der Baum hat {leaves:,} Blätter, zu viele für Formeln: mit höchstens {letters:,} Zeichen in jeder braucht er mehr als {most:,} davon in einer Reihe. Ihn stutzen oder ein anderes Format exportieren.</translation>
    </message>
    <message>
        <source>Node {node} names too many levels for a formula, which has {letters:,} letters at most: split it otherwise, or export another format.</source>
        <translation>Knoten {node} nennt zu viele Ausprägungen für eine Formel, die höchstens {letters:,} Zeichen hat: anders teilen oder ein anderes Format exportieren.</translation>
    </message>
    <message>
        <source>Paste rows into the columns at the left of the sheet “rows”. For more rows, fill the formulas down.</source>
        <translation>Zeilen in die Spalten links auf dem Blatt „rows“ einfügen. Für mehr Zeilen die Formeln nach unten ausfüllen.</translation>
    </message>
    <message>
        <source>An empty cell is missing. In a column of numbers or dates, so is a text.</source>
        <translation>Eine leere Zelle fehlt. In einer Spalte mit Zahlen oder Daten fehlt auch ein Text.</translation>
    </message>
    <message>
        <source>Levels are compared letter by letter: a capital letter is another one.</source>
        <translation>Ausprägungen werden Buchstabe für Buchstabe verglichen: ein Großbuchstabe ist ein anderer.</translation>
    </message>
    <message>
        <source>GESTEP(c, x) is 1 where x is c at most, and 0 otherwise. Dates are compared as days since 1900.</source>
        <translation>GESTEP(c, x) ist 1, wo x höchstens c ist, sonst 0. Daten werden als Tage seit 1900 verglichen.</translation>
    </message>
    <message>
        <source>LibreOffice saves {columns} columns with all digits, and this needs more of them, so it was not checked.</source>
        <translation>LibreOffice speichert {columns} Spalten mit allen Stellen, und hierfür braucht es mehr davon, also wurde es nicht geprüft.</translation>
    </message>
    <message>
        <source>For SAS capital letters are no other ones, so two columns have one name: rename one.</source>
        <translation>Für SAS sind Großbuchstaben keine anderen, also haben zwei Spalten denselben Namen: eine umbenennen.</translation>
    </message>
    <message>
        <source>For SAS an empty text is missing, so it cannot be a level of “{column}”: rename that level.</source>
        <translation>Für SAS ist ein leerer Text ein fehlender Wert, also kann er keine Ausprägung von „{column}“ sein: diese Ausprägung umbenennen.</translation>
    </message>
    <message>
        <source>For SAS blanks at the end of a text mean nothing, but “{column}” has levels that differ by them: rename “{level}”.</source>
        <translation>Für SAS bedeuten Leerzeichen am Ende eines Textes nichts, aber „{column}“ hat Ausprägungen, die sich durch sie unterscheiden: „{level}“ umbenennen.</translation>
    </message>
    <message>
        <source>“{name}” is no name for SAS, which wants {most} bytes at most and letters that can be printed: rename the column.</source>
        <translation>„{name}“ ist kein Name für SAS, das höchstens {most} Bytes und druckbare Zeichen will: die Spalte umbenennen.</translation>
    </message>
    <message>
        <source>A text of SAS has {most:,} bytes at most, but “{text}” is longer: rename it.</source>
        <translation>Ein Text hat in SAS höchstens {most:,} Bytes, aber „{text}“ ist länger: umbenennen.</translation>
    </message>
    <message>
        <source>The tree has no features, and scikit-learn needs one: add a column.</source>
        <translation>Der Baum hat keine Merkmale, und scikit-learn braucht eines: eine Spalte hinzufügen.</translation>
    </message>
    <message>
        <source>scikit-learn predicts the class with the largest probability, the first of equal ones; leaves of this tree predict another, by costs, a tie or a label by hand: remove these, or export the tree as Python.</source>
        <translation>scikit-learn sagt die Klasse mit der größten Wahrscheinlichkeit vorher, die erste von gleichen; Blätter dieses Baums sagen eine andere vorher, durch Kosten, einen Gleichstand oder eine Vorhersage von Hand: diese entfernen oder den Baum als Python exportieren.</translation>
    </message>
    <message>
        <source>it was changed after Espalier made it, so it is another tree than it says</source>
        <translation>er wurde geändert, nachdem Espalier ihn gemacht hat, ist also ein anderer Baum, als er sagt</translation>
    </message>
    <message>
        <source>The tree has {n:,} conditions over {ones:,} values; {most:,} weights can be written: cut it back.</source>
        <translation>Der Baum hat {n:,} Bedingungen über {ones:,} Werte; {most:,} Gewichte können geschrieben werden: ihn zurückschneiden.</translation>
    </message>
    <message>
        <source>A split has too many surrogates for the sums of scikit-learn: remove some.</source>
        <translation>Eine Teilung hat zu viele Ersatzteilungen für die Summen von scikit-learn: einige entfernen.</translation>
    </message>
    <message>
        <source>The tree asks nothing: it predicts {answer} for every row.</source>
        <translation>Der Baum fragt nichts: er sagt für jede Zeile {answer} vorher.</translation>
    </message>
    <message>
        <source>The tree predicts {target} by {used} of {all} columns: {names}.</source>
        <translation>Der Baum sagt {target} aus {used} von {all} Spalten vorher: {names}.</translation>
    </message>
    <message>
        <source>The tree predicts {target} by {used} of {all} columns, most of all by {names}.</source>
        <translation>Der Baum sagt {target} aus {used} von {all} Spalten vorher, vor allem aus {names}.</translation>
    </message>
    <message>
        <source>It predicts most, {number}, where {rule}.</source>
        <translation>Am meisten, {number}, sagt er vorher, wo {rule}.</translation>
    </message>
    <message>
        <source>It predicts most, {number}, in leaf #{node}.</source>
        <translation>Am meisten, {number}, sagt er in Blatt #{node} vorher.</translation>
    </message>
    <message>
        <source>It predicts least, {number}, where {rule}.</source>
        <translation>Am wenigsten, {number}, sagt er vorher, wo {rule}.</translation>
    </message>
    <message>
        <source>It predicts least, {number}, in leaf #{node}.</source>
        <translation>Am wenigsten, {number}, sagt er in Blatt #{node} vorher.</translation>
    </message>
    <message>
        <source>“{name}” is most frequent where {rule}: {share} of {n} training rows.</source>
        <translation>„{name}“ ist am häufigsten, wo {rule}: {share} von {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>“{name}” is most frequent in leaf #{node}: {share} of {n} training rows.</source>
        <translation>„{name}“ ist am häufigsten in Blatt #{node}: {share} von {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>It is least frequent where {rule}: {share} of {n} training rows.</source>
        <translation>Am seltensten ist sie, wo {rule}: {share} von {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>It is least frequent in leaf #{node}: {share} of {n} training rows.</source>
        <translation>Am seltensten ist sie in Blatt #{node}: {share} von {n} Trainingszeilen.</translation>
    </message>
    <message>
        <source>These are the extremes of its {leaves} leaves, and training rows exaggerate them.</source>
        <translation>Das sind die äußersten seiner {leaves} Blätter, und Trainingszeilen übertreiben sie.</translation>
    </message>
    <message>
        <source>These are the extremes of its {leaves} leaves with at least {few} training rows, and these rows exaggerate them.</source>
        <translation>Das sind die äußersten seiner {leaves} Blätter mit mindestens {few} Trainingszeilen, und diese Zeilen übertreiben sie.</translation>
    </message>
    <message>
        <source>Of the validation rows there it is {most} of {n}, and {least} of {m}.</source>
        <translation>Von den Validierungszeilen dort sind es {most} von {n} und {least} von {m}.</translation>
    </message>
    <message>
        <source>{error} of them (95 % interval {low} to {high})</source>
        <translation>{error} von ihnen (95-%-Intervall {low} bis {high})</translation>
    </message>
    <message>
        <source>{error} of them</source>
        <translation>{error} von ihnen</translation>
    </message>
    <message>
        <source>On the {n} test rows, which were looked at {looks} times, it is wrong for {error}; a tree that was chosen since the first look has no honest figure.</source>
        <translation>Auf den {n} Testzeilen, die {looks}-mal angesehen wurden, ist er bei {error} falsch; ein Baum, der seit dem ersten Blick gewählt wurde, hat keine ehrliche Zahl.</translation>
    </message>
    <message>
        <source>On the {n} test rows, which had no part in making the tree, it is wrong for {error}.</source>
        <translation>Auf den {n} Testzeilen, die am Baum keinen Anteil hatten, ist er bei {error} falsch.</translation>
    </message>
    <message>
        <source>On the {n} validation rows it is wrong for {error}; the threshold may have been set by their curve, so this may be too good.</source>
        <translation>Auf den {n} Validierungszeilen ist er bei {error} falsch; die Schwelle wurde vielleicht nach deren Kurve gesetzt, also kann das zu gut sein.</translation>
    </message>
    <message>
        <source>On the {n} validation rows it is wrong for {error}; they chose it among {trees} trees, so this is somewhat too good.</source>
        <translation>Auf den {n} Validierungszeilen ist er bei {error} falsch; sie haben ihn unter {trees} Bäumen gewählt, also ist das etwas zu gut.</translation>
    </message>
    <message>
        <source>On the {n} validation rows, which did not make the tree, it is wrong for {error}.</source>
        <translation>Auf den {n} Validierungszeilen, die den Baum nicht gemacht haben, ist er bei {error} falsch.</translation>
    </message>
    <message>
        <source>There are training rows alone, which made the tree: it is wrong for {error}, which is too good. Its error on other rows is not known.</source>
        <translation>Es gibt nur Trainingszeilen, die den Baum gemacht haben: bei {error} ist er falsch, was zu gut ist. Sein Fehler auf anderen Zeilen ist nicht bekannt.</translation>
    </message>
    <message>
        <source>Always predicting “{name}” is wrong for {share}.</source>
        <translation>Immer „{name}“ vorherzusagen ist bei {share} falsch.</translation>
    </message>
    <message>
        <source>So by the number of errors alone, the tree is of no use.</source>
        <translation>Der Anzahl der Fehler nach ist der Baum also ohne Nutzen.</translation>
    </message>
    <message>
        <source>By its costs and priors, a row costs {loss} on average.</source>
        <translation>Mit seinen Kosten und Prioren kostet eine Zeile im Mittel {loss}.</translation>
    </message>
    <message>
        <source>On the {n} test rows, which were looked at {looks} times, its predictions are off by {error} on average. R² is {r2}; 1 would be perfect. A tree that was chosen since the first look has no honest figure.</source>
        <translation>Auf den {n} Testzeilen, die {looks}-mal angesehen wurden, liegen seine Vorhersagen im Mittel um {error} daneben. R² ist {r2}; 1 wäre vollkommen. Ein Baum, der seit dem ersten Blick gewählt wurde, hat keine ehrliche Zahl.</translation>
    </message>
    <message>
        <source>On the {n} test rows, which had no part in making the tree, its predictions are off by {error} on average. R² is {r2}; 1 would be perfect.</source>
        <translation>Auf den {n} Testzeilen, die am Baum keinen Anteil hatten, liegen seine Vorhersagen im Mittel um {error} daneben. R² ist {r2}; 1 wäre vollkommen.</translation>
    </message>
    <message>
        <source>On the {n} validation rows its predictions are off by {error} on average. R² is {r2}; 1 would be perfect.</source>
        <translation>Auf den {n} Validierungszeilen liegen seine Vorhersagen im Mittel um {error} daneben. R² ist {r2}; 1 wäre vollkommen.</translation>
    </message>
    <message>
        <source>They chose the tree among {trees}, so this is somewhat too good.</source>
        <translation>Sie haben den Baum unter {trees} gewählt, also ist das etwas zu gut.</translation>
    </message>
    <message>
        <source>There are training rows alone, which made the tree: its predictions are off by {error} on average, which is too good. Its error on other rows is not known.</source>
        <translation>Es gibt nur Trainingszeilen, die den Baum gemacht haben: seine Vorhersagen liegen im Mittel um {error} daneben, was zu gut ist. Sein Fehler auf anderen Zeilen ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The tree says to act on the rows of {acts} of {leaves} leaves: a row then earns {profit} on average.</source>
        <translation>Der Baum sagt, bei den Zeilen von {acts} von {leaves} Blättern zu handeln: eine Zeile bringt dann im Mittel {profit}.</translation>
    </message>
    <message>
        <source>Acting on every row would earn {all}, on none {none}.</source>
        <translation>Bei jeder Zeile zu handeln brächte {all}, bei keiner {none}.</translation>
    </message>
    <message>
        <source>Nodes with a prediction that was set by hand: {n}.</source>
        <translation>Knoten mit einer Vorhersage von Hand: {n}.</translation>
    </message>
    <message>
        <source>“{option}” looks at single rows, which are only counted here.</source>
        <translation>„{option}“ betrachtet einzelne Zeilen, die hier nur gezählt werden.</translation>
    </message>
    <message>
        <source>Leaf {leaf}. Training rows: {rows:,}.</source>
        <translation>Blatt {leaf}. Trainingszeilen: {rows:,}.</translation>
    </message>
    <message>
        <source>Leaf {leaf}. Training rows: {rows:,}, error {error}.</source>
        <translation>Blatt {leaf}. Trainingszeilen: {rows:,}, Fehler {error}.</translation>
    </message>
    <message>
        <source>Leaf {leaf}. Training rows: {rows:,}, error {error}. Validation rows: {seen:,}, error {missed}.</source>
        <translation>Blatt {leaf}. Trainingszeilen: {rows:,}, Fehler {error}. Validierungszeilen: {seen:,}, Fehler {missed}.</translation>
    </message>
    <message>
        <source>splits of the columns cannot say what its {kind} does: take over trees behind {known} only, or one that is fitted to the columns themselves</source>
        <translation>Teilungen der Spalten können nicht sagen, was sein {kind} tut: Übernehmen Sie nur Bäume hinter {known}, oder einen, der an die Spalten selbst angepasst ist</translation>
    </message>
    <message>
        <source>its ColumnTransformer has weights: fit it without</source>
        <translation>sein ColumnTransformer hat Gewichte: Passen Sie ihn ohne sie an</translation>
    </message>
    <message>
        <source>its SimpleImputer adds columns, or drops some without values: fit it without</source>
        <translation>sein SimpleImputer fügt Spalten hinzu oder lässt leere weg: Passen Sie ihn ohne das an</translation>
    </message>
    <message>
        <source>its SimpleImputer fills in what is no missing value of a column: fit it without</source>
        <translation>sein SimpleImputer ersetzt, was kein fehlender Wert einer Spalte ist: Passen Sie ihn ohne das an</translation>
    </message>
    <message>
        <source>its {kind} encodes what is neither texts nor truth values: give it texts, or the tree the numbers themselves</source>
        <translation>sein {kind} kodiert, was weder Text noch Wahrheitswert ist: Geben Sie ihm Texte, oder dem Baum die Zahlen selbst</translation>
    </message>
    <message>
        <source>Rows of {table} have no order by which they could be dealt out to folds: open them with a key, or prune by validation rows.</source>
        <translation>Die Zeilen von {table} haben keine Reihenfolge, nach der sie auf Teile verteilt werden könnten: Öffnen Sie sie mit einem Schlüssel, oder stutzen Sie nach Validierungszeilen.</translation>
    </message>
    <message>
        <source>Column “{name}” names the part of every row, so no shares can be set aside: give it another role, or leave out validation and test.</source>
        <translation>Die Spalte „{name}“ nennt den Teil jeder Zeile, also können keine Anteile zurückgehalten werden: Geben Sie ihr eine andere Rolle, oder lassen Sie Validierung und Test weg.</translation>
    </message>
    <message>
        <source>Rows of {table} have no order by which they could be divided: name a key, a column whose values decide.</source>
        <translation>Die Zeilen von {table} haben keine Reihenfolge, nach der sie aufgeteilt werden könnten: Nennen Sie einen Schlüssel, eine Spalte, deren Werte entscheiden.</translation>
    </message>
    <message>
        <source>Some rows have no value in “{key}”, and rows of {table} have no order by which they could be divided: choose a key without missing values.</source>
        <translation>Einige Zeilen haben keinen Wert in „{key}“, und die Zeilen von {table} haben keine Reihenfolge, nach der sie aufgeteilt werden könnten: Wählen Sie einen Schlüssel ohne fehlende Werte.</translation>
    </message>
    <message>
        <source>This needs the rows themselves, which are counted where they are: read a sample of them, or keep their codes.</source>
        <translation>Dies braucht die Zeilen selbst, die an ihrem Ort gezählt werden: Lesen Sie eine Stichprobe, oder behalten Sie ihre Codes.</translation>
    </message>
    <message>
        <source>{name} “{value}” needs the rows themselves, which are counted where they are: read a sample of them, or keep their codes.</source>
        <translation>{name} „{value}“ braucht die Zeilen selbst, die an ihrem Ort gezählt werden: Lesen Sie eine Stichprobe, oder behalten Sie ihre Codes.</translation>
    </message>
    <message>
        <source>Splits by several columns, and those that divide rows, need the rows themselves, which are counted where they are: read a sample of them, or keep their codes.</source>
        <translation>Teilungen nach mehreren Spalten und solche, die Zeilen teilen, brauchen die Zeilen selbst, die an ihrem Ort gezählt werden: Lesen Sie eine Stichprobe, oder behalten Sie ihre Codes.</translation>
    </message>
    <message>
        <source>First answers</source>
        <translation>Erste Antworten</translation>
    </message>
    <message>
        <source>First answers · best splits by {criterion}</source>
        <translation>Erste Antworten · beste Teilungen nach {criterion}</translation>
    </message>
    <message>
        <source>From {n} of the first rows, which need not be like the others. All rows are being read.</source>
        <translation>Aus {n} der ersten Zeilen, die nicht wie die anderen sein müssen. Alle Zeilen werden gelesen.</translation>
    </message>
    <message>
        <source>From {n} rows of {places} places, which is no random sample of all rows. All rows are being read.</source>
        <translation>Aus {n} Zeilen von {places} Stellen; das ist keine Zufallsstichprobe aller Zeilen. Alle Zeilen werden gelesen.</translation>
    </message>
    <message>
        <source>All {n} training rows are counted.</source>
        <translation>Alle {n} Trainingszeilen sind gezählt.</translation>
    </message>
    <message>
        <source>All {n} rows are counted.</source>
        <translation>Alle {n} Zeilen sind gezählt.</translation>
    </message>
    <message>
        <source>No split gains anything any more, unlike in the first answers.</source>
        <translation>Anders als in den ersten Antworten gewinnt keine Teilung mehr etwas.</translation>
    </message>
    <message>
        <source>The {n} best columns are those of the first answers, in the same order.</source>
        <translation>Die {n} besten Spalten sind die der ersten Antworten, in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>The {n} best columns are those of the first answers, in another order.</source>
        <translation>Die {n} besten Spalten sind die der ersten Antworten, in anderer Reihenfolge.</translation>
    </message>
    <message>
        <source>Of the {n} best columns of the first answers, none stays among the {n} best.</source>
        <translation>Von den {n} besten Spalten der ersten Antworten bleibt keine unter den {n} besten.</translation>
    </message>
    <message>
        <source>Of the {n} best columns of the first answers, 1 stays among the {n} best.</source>
        <translation>Von den {n} besten Spalten der ersten Antworten bleibt 1 unter den {n} besten.</translation>
    </message>
    <message>
        <source>Of the {n} best columns of the first answers, {stay} stay among the {n} best.</source>
        <translation>Von den {n} besten Spalten der ersten Antworten bleiben {stay} unter den {n} besten.</translation>
    </message>
    <message>
        <source>The best column is now “{column}” instead of “{before}”.</source>
        <translation>Die beste Spalte ist jetzt „{column}“ statt „{before}“.</translation>
    </message>
    <message>
        <source>The best split, of “{column}”, is the same.</source>
        <translation>Die beste Teilung, die von „{column}“, ist dieselbe.</translation>
    </message>
    <message>
        <source>The best split of “{column}” divides its values otherwise.</source>
        <translation>Die beste Teilung von „{column}“ teilt ihre Werte anders auf.</translation>
    </message>
    <message>
        <source>The best cut, “{column}” {cut}, is the same.</source>
        <translation>Der beste Schnitt, „{column}“ {cut}, ist derselbe.</translation>
    </message>
    <message>
        <source>The best cut of “{column}” moved from {old} to {new}.</source>
        <translation>Der beste Schnitt von „{column}“ rückte von {old} nach {new}.</translation>
    </message>
    <message>
        <source>it is cut off or damaged near byte {place}: use another copy, or save the model again</source>
        <translation>sie ist abgeschnitten oder bei Byte {place} beschädigt: Nehmen Sie eine andere Kopie, oder speichern Sie das Modell noch einmal</translation>
    </message>
    <message>
        <source>None of the first rows of {table} trains: open all of them.</source>
        <translation>Keine der ersten Zeilen von {table} trainiert: Öffnen Sie alle.</translation>
    </message>
    <message>
        <source>{file} has several tables: name one behind “::”, of {names}.</source>
        <translation>{file} hat mehrere Tabellen: Nennen Sie eine davon hinter „::“: {names}.</translation>
    </message>
    <message>
        <source>Password of a database</source>
        <translation>Passwort einer Datenbank</translation>
    </message>
    <message>
        <source>The database {address} wants a password.</source>
        <translation>Die Datenbank {address} verlangt ein Passwort.</translation>
    </message>
    <message>
        <source>&amp;Password</source>
        <translation>&amp;Passwort</translation>
    </message>
    <message>
        <source>C&amp;onnect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>It is used to connect now, and is not saved.</source>
        <translation>Es dient jetzt zum Verbinden und wird nicht gespeichert.</translation>
    </message>
</context>
</TS>
