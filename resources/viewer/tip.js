// A node in words, for the tip beside it and for screen readers.

// A count, grouped by thousands.
function grouped(count) {
  const text = String(Math.round(count * 10) / 10).split(".");
  return text[0].replace(/\B(?=(\d{3})+$)/g, ",") + (text[1] ? "." + text[1] : "");
}

function percent(part, all) {
  return all > 0 ? (100 * part / all).toFixed(1) + " %" : "–";
}

// The conditions that lead to node i.
function ruleOf(tree, i) {
  const found = [];
  for (let k = i; k > 0; k = tree.parent[k]) found.unshift(tree.data.texts[tree.data.rule[k]]);
  return tree.data.start.concat(found);
}

// What the tip says: a heading, lines, and a table as rows of cells.
function tipOf(tree, i) {
  const data = tree.data, rule = ruleOf(tree, i), lines = [], held = data.validationRows;
  let rows = grouped(data.rows[i]) + " training rows (" + percent(data.rows[i], data.rowsOfAll) + " of all)";
  if (held) rows += ", " + grouped(held[i]) + " validation rows";
  if (tree.inner[i]) {
    lines.push("Split by " + data.texts[data.split[i]] + " into " + childrenOf(tree, i).length + " branches, " +
      grouped(tree.leaves[i]) + " leaves" + (tree.folded[i] ? ", folded" : ""));
  }
  lines.push(rows);
  if (data.task === "classes") lines.push("Predicts " + data.classes[data.label[i]]);
  if (data.texts[data.colour[i]]) lines.push(data.texts[data.colour[i]]);
  if (data.marks[i]) data.marks[i].said.forEach(function (said) { lines.push(said); });
  return { heading: rule.length ? rule : ["All rows"], lines: lines, table: tableOf(tree, i) };
}

function tableOf(tree, i) {
  const data = tree.data, held = data.validationRows;
  if (data.task === "number") {
    return [[data.median ? "median" : "mean", data.answer[i]],
      [data.median ? "mean absolute error" : "standard deviation", data.spread[i]]];
  }
  const most = 10, n = data.classes.length, train = data.train.slice(i * n, (i + 1) * n);
  const valid = held ? data.validation.slice(i * n, (i + 1) * n) : null;
  const sum = function (counts) { return counts.reduce(function (a, b) { return a + b; }, 0); };
  const order = train.map(function (count, k) { return k; }).sort(function (a, b) { return train[b] - train[a] || a - b; });
  const table = [["", "training", ""].concat(valid ? ["validation", ""] : [])];
  order.slice(0, most).forEach(function (k) {
    const row = [data.classes[k], grouped(train[k]), percent(train[k], sum(train))];
    table.push(valid ? row.concat([grouped(valid[k]), percent(valid[k], sum(valid))]) : row);
  });
  if (n > most) table.push(["and " + (n - most) + " more"]);
  return table;
}

// The same as one plain sentence.
function spokenOf(tree, i) {
  const tip = tipOf(tree, i);
  return "Node " + tree.data.id[i] + ": " + tip.heading.join(" and ") + ". " + tip.lines.join(". ") + ".";
}
