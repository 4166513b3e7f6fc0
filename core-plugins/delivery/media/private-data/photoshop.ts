/** Resources about how a picture is shown or printed, and clipping paths. */
const isPublicResource = (id: number) =>
  [0x03ed, 0x03f3, 0x0406, 0x040a, 0x040f, 0x0411, 0x0414, 0x0419, 0x041a].includes(id) ||
  (id >= 2000 && id < 2999)

const iptcResource = 0x0404

/** Public datasets of IPTC-IIM: title, keywords, instructions, creator, credit, source, copyright, caption and its writer. */
const publicNumbers = [0, 5, 25, 40, 80, 85, 105, 110, 115, 116, 120, 122]

/** Blanks Photoshop resources that might reveal where a photo was taken, in place. */
export function publicResources(block: Buffer): Buffer {
  const kept = Buffer.from(block)
  for (const { id, start, end } of resourcesOf(block)) {
    if (id === iptcResource) publicDatasets(block.subarray(start, end)).copy(kept, start)
    else if (!isPublicResource(id)) kept.fill(0, start, end)
  }
  return kept
}

export interface Resource {
  readonly id: number
  readonly start: number
  readonly end: number
}

function* resourcesOf(block: Buffer): Generator<Resource> {
  for (let at = 0; at + 12 <= block.length && block.toString('latin1', at, at + 4) === '8BIM'; ) {
    const nameLength = 1 + (block[at + 6] ?? 0)
    const start = at + 6 + nameLength + (nameLength % 2) + 4
    if (start > block.length) return
    const length = block.readUInt32BE(start - 4)
    yield { id: block.readUInt16BE(at + 4), start, end: Math.min(start + length, block.length) }
    at = start + length + (length % 2)
  }
}

/**
 * The public part of IPTC-IIM: other texts become spaces of the same length. The list ends at the first invalid dataset; the
 * rest is blanked.
 */
export function publicDatasets(before: Buffer): Buffer {
  const iptc = Buffer.from(before)
  let at = 0
  while (at + 5 <= iptc.length && iptc[at] === 0x1c) {
    const end = at + 5 + iptc.readUInt16BE(at + 3)
    const isPublic = iptc[at + 1] === 1 || (iptc[at + 1] === 2 && publicNumbers.includes(iptc[at + 2] ?? -1))
    if (!isPublic) iptc.fill(' ', at + 5, Math.min(end, iptc.length))
    at = end
  }
  if (at < iptc.length) iptc.fill(0, at)
  return iptc
}

/** The text of an IPTC dataset; undefined if it is missing. */
export function iptcText(block: Buffer, dataset: number): string | undefined {
  for (const { id, start, end } of resourcesOf(block)) {
    if (id !== iptcResource) continue
    const iptc = block.subarray(start, end)
    for (let at = 0; at + 5 <= iptc.length && iptc[at] === 0x1c; at += 5 + iptc.readUInt16BE(at + 3)) {
      if (iptc[at + 1] === 2 && iptc[at + 2] === dataset) {
        return iptc.toString('utf8', at + 5, at + 5 + iptc.readUInt16BE(at + 3))
      }
    }
  }
  return undefined
}
