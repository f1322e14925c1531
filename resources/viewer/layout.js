// Where the nodes of a tree stand when some branches are folded: numbers only, nothing is drawn here.

// The shape of a tree from the parents of its nodes, which are listed in preorder.
function makeTree(data) {
  const n = data.parent.length;
  const tree = {
    n: n, data: data, parent: Int32Array.from(data.parent), end: new Int32Array(n), level: new Int32Array(n),
    inner: new Uint8Array(n), leaves: new Int32Array(n), folded: new Uint8Array(n), depth: 0
  };
  for (let i = 1; i < n; i++) {
    tree.level[i] = tree.level[tree.parent[i]] + 1;
    tree.inner[tree.parent[i]] = 1;
    tree.depth = Math.max(tree.depth, tree.level[i]);
  }
  for (const i of data.folded || []) tree.folded[i] = 1;
  for (let i = n - 1; i >= 0; i--) {
    tree.end[i] = Math.max(tree.end[i], i + 1);
    if (!tree.inner[i]) tree.leaves[i] = 1;
    const above = tree.parent[i];
    if (above >= 0) {
      tree.end[above] = Math.max(tree.end[above], tree.end[i]);
      tree.leaves[above] += tree.leaves[i];
    }
  }
  return tree;
}

// The children of node i, from left to right.
function childrenOf(tree, i) {
  const found = [];
  for (let k = i + 1; k < tree.end[i]; k = tree.end[k]) found.push(k);
  return found;
}

// Whether the children of node i are shown.
function isOpen(tree, i) {
  return tree.inner[i] === 1 && tree.folded[i] === 0;
}

// Folds all nodes of a level and opens those above; a level that is not there opens everything.
function foldAt(tree, level) {
  for (let i = 0; i < tree.n; i++) tree.folded[i] = tree.inner[i] && tree.level[i] >= level ? 1 : 0;
}

// Opens what hides node i.
function unfoldTo(tree, i) {
  for (let k = tree.parent[i]; k >= 0; k = tree.parent[k]) tree.folded[k] = 0;
}

// The nodes that are not inside of a folded branch, in preorder.
function shownNodes(tree) {
  const found = [];
  for (let i = 0; i < tree.n; i = isOpen(tree, i) || !tree.inner[i] ? i + 1 : tree.end[i]) found.push(i);
  return found;
}

// A side of a subtree: its distance from the root of the subtree on each level, the deepest one first, plus `by`.
function Side(first) {
  this.at = [first];
  this.by = 0;
}

Side.prototype.from = function (k) { // k levels below the uppermost one
  return this.at[this.at.length - 1 - k] + this.by;
};

Side.prototype.set = function (k, value) {
  this.at[this.at.length - 1 - k] = value - this.by;
};

// Puts a subtree to the right of others, as near as they allow; returns how far. The sides grow in place: what is
// written is as long as the shorter of the two, so that all calls together take time in proportion to the nodes.
function join(forest, next, gap) {
  const common = Math.min(forest.right.at.length, next.left.at.length);
  let shift = -Infinity;
  for (let k = 0; k < common; k++) shift = Math.max(shift, forest.right.from(k) + gap - next.left.from(k));
  next.left.by += shift;
  next.right.by += shift;
  if (next.right.at.length >= forest.right.at.length) {
    forest.right = next.right;
  } else {
    for (let k = 0; k < next.right.at.length; k++) forest.right.set(k, next.right.from(k));
  }
  if (next.left.at.length > forest.left.at.length) {
    for (let k = 0; k < forest.left.at.length; k++) next.left.set(k, forest.left.from(k));
    forest.left = next.left;
  }
  return shift;
}

// Places of all shown nodes: parents in the middle above their first and last child, nothing overlaps.
function layout(tree) {
  const room = tree.data.room, gap = tree.data.sizes.gap, shown = shownNodes(tree);
  const beside = new Float64Array(tree.n), sides = new Map();
  for (let s = shown.length - 1; s >= 0; s--) {
    const i = shown[s], half = room[i] / 2;
    if (!isOpen(tree, i)) {
      sides.set(i, { left: new Side(-half), right: new Side(half) });
      continue;
    }
    const below = childrenOf(tree, i), forest = sides.get(below[0]);
    for (let k = 1; k < below.length; k++) beside[below[k]] = join(forest, sides.get(below[k]), gap);
    const middle = beside[below[below.length - 1]] / 2;
    for (const k of below) {
      beside[k] -= middle;
      sides.delete(k);
    }
    forest.left.by -= middle;
    forest.right.by -= middle;
    forest.left.at.push(-half - forest.left.by);
    forest.right.at.push(half - forest.right.by);
    sides.set(i, forest);
  }
  return placed(tree, shown, beside);
}

// Sums the steps from parents to children, and finds out how far each subtree reaches.
function placed(tree, shown, beside) {
  const room = tree.data.room;
  const found = {
    shown: shown, x: new Float64Array(tree.n), left: new Float64Array(tree.n), right: new Float64Array(tree.n),
    deepest: new Int32Array(tree.n), rows: [], width: 0, depth: 0
  };
  let least = Infinity;
  for (const i of shown) {
    found.x[i] = i ? found.x[tree.parent[i]] + beside[i] : 0;
    least = Math.min(least, found.x[i] - room[i] / 2);
  }
  for (const i of shown) {
    found.x[i] -= least;
    found.left[i] = found.x[i] - room[i] / 2;
    found.right[i] = found.x[i] + room[i] / 2;
    found.deepest[i] = tree.level[i];
    found.width = Math.max(found.width, found.right[i]);
    found.depth = Math.max(found.depth, tree.level[i]);
    if (!found.rows[tree.level[i]]) found.rows[tree.level[i]] = [];
    found.rows[tree.level[i]].push(i);
  }
  for (let s = shown.length - 1; s > 0; s--) {
    const i = shown[s], above = tree.parent[i];
    found.left[above] = Math.min(found.left[above], found.left[i]);
    found.right[above] = Math.max(found.right[above], found.right[i]);
    found.deepest[above] = Math.max(found.deepest[above], found.deepest[i]);
  }
  lineUp(tree, found);
  return found;
}

// How many times wider than needed the place of each node is, and the tightest one down to each level.
function lineUp(tree, found) {
  const room = tree.data.room, gap = tree.data.sizes.gap;
  found.nodeRoom = new Float64Array(tree.n);
  found.levelRoom = [];
  let tightest = Infinity;
  for (const row of found.rows) {
    for (let k = 0; k < row.length; k++) {
      const i = row[k], x = found.x[i];
      let spare = Math.min(x, found.width - x) / (room[i] / 2);
      if (k > 0) spare = Math.min(spare, (x - found.x[row[k - 1]]) / ((room[i] + room[row[k - 1]]) / 2 + gap));
      if (k + 1 < row.length) {
        spare = Math.min(spare, (found.x[row[k + 1]] - x) / ((room[i] + room[row[k + 1]]) / 2 + gap));
      }
      found.nodeRoom[i] = spare;
      tightest = Math.min(tightest, spare);
    }
    found.levelRoom.push(tightest);
  }
}
