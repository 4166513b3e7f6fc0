import { type Box, boxesIn } from '../../pictures/pictures.ts'

/** Bytes one after another in a file. */
export interface Samples {
  readonly at: number
  readonly length: number
}

const fullBytes = 4
/** More than a movie of a day has, with a sample every hundredth of a second. */
const mostSamples = 10_000_000
/** Of tracks that hold data beside the picture: where a camera was, how it was held. */
const dataHandlers = ['meta', 'camm', 'gpmd', 'nrtm']

/** Where the samples are of those tracks of a movie that are no picture, sound or text. */
export function* samplesOf(movie: Buffer, { content, end }: Box): Generator<Samples> {
  for (const track of boxesIn(movie, content, end)) {
    if (track.type !== 'trak') continue
    const media = within(movie, track, 'mdia')
    const handler = media && within(movie, media, 'hdlr')
    if (handler === undefined || !dataHandlers.includes(nameAt(movie, handler.content + 8))) continue
    const information = media && within(movie, media, 'minf')
    const table = information && within(movie, information, 'stbl')
    if (table !== undefined) yield* samplesIn(movie, table)
  }
}

const nameAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4)

function within(bytes: Buffer, { content, end }: Box, type: string): Box | undefined {
  for (const box of boxesIn(bytes, content, end)) if (box.type === type) return box
  return undefined
}

/** The samples of each chunk stand one after another. What ends too early has no more of them. */
function* samplesIn(movie: Buffer, table: Box): Generator<Samples> {
  const find = (type: string) => {
    const box = within(movie, table, type)
    return box && movie.subarray(box.content + fullBytes, box.end)
  }
  const [sizes, chunks, far] = [find('stsz'), find('stsc'), find('co64')]
  const offsets = far ?? find('stco')
  if (sizes === undefined || chunks === undefined || offsets === undefined) return
  const offsetBytes = far === undefined ? 4 : 8
  try {
    let [sample, run] = [0, 0]
    for (let chunk = 1; chunk <= offsets.readUInt32BE(0) && sample < mostSamples; chunk++) {
      const at = 4 + offsetBytes * (chunk - 1)
      const next = () =>
        run + 1 < chunks.readUInt32BE(0) ? chunks.readUInt32BE(4 + 12 * (run + 1)) : Infinity
      while (next() <= chunk) run += 1
      let length = 0
      const last = sample + chunks.readUInt32BE(4 + 12 * run + 4)
      for (; sample < last && sample < mostSamples; sample++) length += sizeOf(sizes, sample)
      yield { at: far === undefined ? offsets.readUInt32BE(at) : Number(offsets.readBigUInt64BE(at)), length }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** One size for all, or a list behind their number. */
const sizeOf = (sizes: Buffer, sample: number) => sizes.readUInt32BE(0) || sizes.readUInt32BE(8 + 4 * sample)
