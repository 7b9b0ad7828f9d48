type Anchor = { readonly x: number; readonly y: number; readonly width: number };

type Place = { readonly dx: number; readonly dy: number; readonly anchor: 'start' | 'end' | 'middle' };

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

const HALF_LINE = 7;
const AWAY = 9;

/** In order of taste: beside the point first, then above and below it. */
const PLACES: readonly Place[] = [
  { dx: AWAY, dy: 0, anchor: 'start' },
  { dx: -AWAY, dy: 0, anchor: 'end' },
  { dx: 0, dy: -AWAY - 4, anchor: 'middle' },
  { dx: 0, dy: AWAY + 5, anchor: 'middle' },
];

/**
 * A place for each label that covers no point and no other label; `undefined` where there is none, because a missing
 * name is in the tooltip and in the table, an unreadable one helps nobody.
 */
export function placeLabels(
  anchors: readonly Anchor[],
  area: { readonly width: number; readonly height: number },
): (Place | undefined)[] {
  const taken: Box[] = anchors.map(({ x, y }) => ({ left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 }));
  return anchors.map((anchor, own) => {
    const place = PLACES.find((candidate) => {
      const box = boxOf(anchor, candidate);
      const inside =
        box.left >= 0 &&
        box.right <= area.width &&
        box.top >= -HALF_LINE &&
        box.bottom <= area.height + HALF_LINE;
      return inside && !taken.some((other, index) => index !== own && overlap(box, other));
    });
    if (place !== undefined) taken.push(boxOf(anchor, place));
    return place;
  });
}

function boxOf({ x, y, width }: Anchor, { dx, dy, anchor }: Place): Box {
  const left = x + dx - (anchor === 'start' ? 0 : anchor === 'end' ? width : width / 2);
  return { left, right: left + width, top: y + dy - HALF_LINE, bottom: y + dy + HALF_LINE };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
