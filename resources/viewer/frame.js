// From places to the screen: a camera, how large the cards of each level are, and what lies in view.

const CLOSEST = 3, FURTHEST = 0.35, MARGIN = 28;
const SPREAD_X = [1, 1.6], SPREAD_Y = [0.8, 1.15], STEEPER = 1.8;
const FULL = 0.7; // least size of whole cards
const NAMED_HEIGHT = 13, NAMED = 26, AROUND_NAME = 8, NAME_WIDTH = 0.75, LABEL = 40;
const SMALLEST = 1.5; // pixels; a narrower subtree is one block

function between(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

// The horizontal and the vertical scale at a zoom: those of the fit and of 100 %, and smoothly from one to the other.
function scalesAt(camera, zoom) {
  if (zoom >= 1 || camera.fitZoom >= 1) return [camera.fullX * zoom, camera.fullY * zoom];
  if (zoom <= camera.fitZoom) {
    const share = zoom / camera.fitZoom;
    return [camera.fitX * share, camera.fitY * share];
  }
  const way = Math.log(zoom / camera.fitZoom) / -Math.log(camera.fitZoom);
  return [
    Math.pow(camera.fitX, 1 - way) * Math.pow(camera.fullX, way),
    Math.pow(camera.fitY, 1 - way) * Math.pow(camera.fullY, way)
  ];
}

// The end of the spacing at 100 %: as at the fit where that is allowed, and never smaller than there.
function spreadEnd(ratio, atFit, allowed) {
  return Math.max(between(ratio, allowed[0], allowed[1]), atFit);
}

// A camera that shows the whole drawing on a screen of this size.
function fitted(tree, places, width, height) {
  const sizes = tree.data.sizes, levels = places.depth * sizes.pitch;
  const roomX = Math.max(width - 2 * MARGIN, 40), roomY = Math.max(height - 2 * MARGIN, 40);
  const tightest = places.levelRoom[places.depth];
  const card = Math.max(sizes.card, sizes.tile) * Math.min(1, tightest * roomX / places.width);
  const upright = Math.max(roomY - card, 0.3 * roomY);
  const zoom = Math.min(1, roomX / places.width, levels ? upright / (SPREAD_Y[0] * levels) : roomY / card);
  const sx = Math.min(roomX / places.width, SPREAD_X[1]);
  const sy = levels ? Math.min(upright / levels, SPREAD_Y[1] * Math.min(zoom ** -0.5, STEEPER)) : 1;
  const spare = height - levels * sy - card;
  return {
    x: (width - places.width * sx) / 2, y: Math.min(Math.max(spare / 3, MARGIN), MARGIN + 60), zoom: zoom,
    fitZoom: zoom, fitX: sx, fitY: sy, fullX: spreadEnd(sx / zoom, sx, SPREAD_X), fullY: spreadEnd(sy / zoom, sy, SPREAD_Y)
  };
}

// Zooms; what stands at the point (x, y) stays there.
function zoomed(camera, factor, x, y) {
  const least = Math.min(FURTHEST * camera.fitZoom, camera.zoom);
  const zoom = between(camera.zoom * factor, least, CLOSEST);
  const before = scalesAt(camera, camera.zoom), after = scalesAt(camera, zoom);
  return Object.assign({}, camera, {
    zoom: zoom, x: x - (x - camera.x) / before[0] * after[0], y: y - (y - camera.y) / before[1] * after[1]
  });
}

// One picture: places seen through a camera.
function makeFrame(tree, places, camera) {
  const scales = scalesAt(camera, camera.zoom), sizes = tree.data.sizes;
  const upright = sizes.pitch * scales[1] / (sizes.card + LABEL), largest = Math.max(1, camera.zoom);
  return {
    tree: tree, places: places, camera: camera, sx: scales[0], sy: scales[1], pitch: sizes.pitch * scales[1],
    sizes: places.levelRoom.map(function (room) {
      return between(Math.min(room * scales[0], upright), camera.zoom, largest);
    })
  };
}

function scaleOf(frame, i) {
  return frame.sizes[frame.tree.level[i]];
}

function wideOf(frame, i) {
  const scale = scaleOf(frame, i);
  if (scale * frame.tree.data.sizes.card < NAMED_HEIGHT) return scale;
  // In a tight tree a card may have the room of the words on its edge, which are left out there.
  const room = frame.places.nodeRoom[i] * frame.sx * frame.tree.data.room[i] / frame.tree.data.width[i];
  return between(room, scale, Math.max(scale, NAME_WIDTH));
}

// Whether a node shows words.
function isNamed(frame, i) {
  const width = frame.tree.data.width[i] * wideOf(frame, i);
  const high = scaleOf(frame, i) * frame.tree.data.sizes.card >= NAMED_HEIGHT;
  return high && width >= Math.max(frame.tree.data.nameRoom[i] * NAME_WIDTH + AROUND_NAME, NAMED);
}

// A node's card on the screen.
function boxOf(frame, i) {
  const data = frame.tree.data, tall = frame.tree.inner[i] ? data.sizes.card : data.sizes.tile;
  const width = Math.max(data.width[i] * wideOf(frame, i), 1), height = Math.max(tall * scaleOf(frame, i), 2);
  const middle = frame.camera.x + frame.places.x[i] * frame.sx;
  return { x: middle - width / 2, y: topOf(frame, i), w: width, h: height, middle: middle };
}

function topOf(frame, i) {
  return frame.camera.y + frame.tree.level[i] * frame.pitch;
}

// How many pixels are a node's own, for what is written above it.
function slotOf(frame, i) {
  return frame.tree.data.room[i] * Math.max(frame.places.nodeRoom[i] * frame.sx, scaleOf(frame, i));
}

// What is in view: cards with words, plain boxes, and the uppermost nodes of subtrees drawn as one block.
function seen(frame, width, height) {
  const tree = frame.tree, places = frame.places, found = { named: [], boxed: [], blocks: [] };
  const stack = [0], beside = 120;
  while (stack.length) {
    const i = stack.pop(), above = i ? places.x[tree.parent[i]] : places.x[i];
    const left = frame.camera.x + Math.min(places.left[i], above) * frame.sx;
    const right = frame.camera.x + Math.max(places.right[i], above) * frame.sx;
    const bottom = frame.camera.y + places.deepest[i] * frame.pitch + tree.data.sizes.card * frame.sizes[0];
    if (left - beside > width || right + beside < 0 || bottom < 0 || topOf(frame, i) - frame.pitch > height) continue;
    if ((places.right[i] - places.left[i]) * frame.sx < SMALLEST || frame.pitch < 1) {
      found.blocks.push(i);
      continue;
    }
    (isNamed(frame, i) ? found.named : found.boxed).push(i);
    if (isOpen(tree, i)) {
      const below = childrenOf(tree, i);
      for (let k = below.length - 1; k >= 0; k--) stack.push(below[k]);
    }
  }
  return found;
}

// The node drawn at a point, −1 where there is none.
function nodeAt(frame, x, y) {
  const level = Math.floor((y - frame.camera.y + 3) / frame.pitch), row = frame.places.rows[level];
  if (!row) return -1;
  let low = 0, high = row.length - 1; // the places of a row are in order
  const at = (x - frame.camera.x) / frame.sx;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frame.places.x[row[middle]] < at) low = middle + 1; else high = middle;
  }
  for (let k = Math.max(low - 2, 0); k <= Math.min(low + 2, row.length - 1); k++) {
    const box = boxOf(frame, row[k]), foot = footOf(frame, row[k]);
    if (x >= box.x - 3 && x <= box.x + box.w + 3 && y >= box.y - 3 && y <= box.y + box.h + foot + 3) return row[k];
  }
  return -1;
}

// How far below its card a folded node still is: the words on what it hides.
function footOf(frame, i) {
  return frame.tree.folded[i] && frame.tree.inner[i] ? 22 * Math.max(scaleOf(frame, i), 0.75) : 0;
}

// Where an arrow key leads to from node i; i itself where it leads nowhere.
function stepFrom(tree, places, i, key) {
  if (key === "Home") return 0;
  if (key === "ArrowUp") return Math.max(tree.parent[i], 0);
  if (key === "ArrowDown") return isOpen(tree, i) ? i + 1 : i;
  const row = places.rows[tree.level[i]], at = row.indexOf(i) + (key === "ArrowRight" ? 1 : -1);
  return row[between(at, 0, row.length - 1)];
}
