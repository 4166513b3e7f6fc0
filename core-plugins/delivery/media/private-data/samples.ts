import { type Box, boxesIn } from '../../pictures/pictures.ts'

/** A contiguous range of samples in a file. */
export interface Samples {
  readonly at: number
  readonly length: number
}

const fullBytes = 4
/** More samples than a movie of a day has at 100 per second. */
const mostSamples = 10_000_000
/** Handlers of tracks with sensor data, such as the position or orientation of the camera. */
const dataHandlers = ['meta', 'camm', 'gpmd', 'nrtm']

/** Yields where the samples of the data tracks of a movie are, which hold neither picture, sound nor text. */
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

/** Samples of one chunk are contiguous. Ends where the table is truncated. */
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

/** Either one size for all samples, or a list after their number. */
const sizeOf = (sizes: Buffer, sample: number) => sizes.readUInt32BE(0) || sizes.readUInt32BE(8 + 4 * sample)
