// The bars on cards: the shares of the classes, or where the values of a number lie.

Painter.prototype.classBar = function (i, bar) {
  const cuts = this.data.classes.length - 1, ends = this.data.bar.slice(i * cuts, (i + 1) * cuts).concat([1]);
  const ctx = this.ctx;
  if (!this.data.flow[i]) { // no rows
    ctx.fillStyle = this.look.neutral;
    ctx.fillRect(bar.x, bar.y, bar.w, bar.h);
    return;
  }
  ctx.save();
  this.plate(bar, bar.h / 2, this.look.classes[cuts]);
  ctx.clip();
  for (let k = 0; k < cuts; k++) {
    const from = k ? ends[k - 1] : 0;
    if (ends[k] > from) {
      ctx.fillStyle = this.look.classes[k];
      ctx.fillRect(bar.x + from * bar.w, bar.y, (ends[k] - from) * bar.w, bar.h);
    }
  }
  ctx.restore();
};

Painter.prototype.meanBar = function (i, bar) {
  const at = this.data.bar.slice(3 * i, 3 * i + 3).map(function (share) { return bar.x + share * bar.w; });
  this.plate(bar, bar.h / 2, this.look.neutral);
  if (this.data.boxes[i]) {
    this.boxPlot(this.data.boxes[i], i, bar);
    return;
  }
  const low = Math.min(at[1], bar.x + bar.w - bar.h), high = Math.max(at[2], bar.x + bar.h);
  this.plate({ x: low, y: bar.y, w: high - low, h: bar.h }, bar.h / 2, this.look.ribbons[this.data.shade[i]]);
  this.ctx.beginPath();
  this.ctx.arc(between(at[0], bar.x + 1, bar.x + bar.w - 1), bar.y + bar.h / 2, bar.h / 2 - 0.5, 0, 7);
  this.ctx.fillStyle = this.look.text;
  this.ctx.fill();
};

// A line between the whiskers' ends, the middle half of the values, the median.
Painter.prototype.boxPlot = function (shares, i, bar) {
  const at = shares.map(function (share) { return bar.x + share * bar.w; }), ctx = this.ctx;
  ctx.fillStyle = this.look.secondary;
  ctx.fillRect(at[0], bar.y + bar.h / 2 - 0.75, Math.max(at[4] - at[0], 1), 1.5);
  ctx.beginPath();
  ctx.rect(at[1], bar.y, Math.max(at[3] - at[1], 2), bar.h);
  ctx.fillStyle = this.look.ribbons[this.data.shade[i]];
  ctx.fill();
  ctx.strokeStyle = this.look.secondary;
  ctx.lineWidth = 0.75;
  ctx.stroke();
  ctx.fillStyle = this.look.text;
  ctx.fillRect(at[2] - 1, bar.y - 0.5, 2, bar.h + 1);
};
