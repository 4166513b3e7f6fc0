import sharp from 'sharp'
import type { PictureCase } from './picture-case.ts'

const [width, height] = [1200, 800]

/** Colours that run across and down, with some grain, so that a file has something in it up to its end. */
const pixels = Buffer.alloc(width * height * 3)
for (const index of pixels.keys()) {
  const pixel = Math.floor(index / 3)
  const [red, green] = [((pixel % width) / width) * 220, (Math.floor(pixel / width) / height) * 220]
  pixels[index] = ([red, green][index % 3] ?? 120) + (((index * 7_919) % 251) % 24)
}
const grainy = sharp(pixels, { raw: { width, height, channels: 3 } })

const share = (bytes: Buffer, part: number) => bytes.subarray(0, Math.floor(bytes.length * part))

function zeroed(bytes: Buffer, from: number): Buffer {
  return Buffer.from(bytes).fill(0, Math.floor(bytes.length * from))
}

/** As many phones write it: the last coefficient of the scan, which means nothing in a baseline JPEG, is 0. */
function withoutSpectralEnd(jpeg: Buffer): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  const components = jpeg[scan + 4] ?? 0
  return Buffer.from(jpeg).fill(0, scan + 6 + 2 * components, scan + 7 + 2 * components)
}

const jpeg = () => grainy.clone().jpeg().toBuffer()
const progressive = () => grainy.clone().jpeg({ progressive: true }).toBuffer()

/** Files whose transfer or card has failed, and what cameras write against the rules. */
export const damagedPictures: readonly PictureCase[] = [
  { name: 'a whole JPEG', file: 'whole.jpg', make: jpeg },
  {
    name: 'a JPEG without its last two bytes',
    file: 'marker.jpg',
    isCut: true,
    make: async () => (await jpeg()).subarray(0, -2),
  },
  { name: 'a JPEG that is cut', file: 'cut.jpg', isCut: true, make: async () => share(await jpeg(), 0.7) },
  {
    name: 'a JPEG that ends in zeros',
    file: 'zeros.jpg',
    isCut: true,
    make: async () => zeroed(await jpeg(), 0.7),
  },
  {
    name: 'a progressive JPEG without its end',
    file: 'end.jpg',
    make: async () => (await progressive()).subarray(0, -2),
  },
  {
    name: 'a progressive JPEG without its second half',
    file: 'half.jpg',
    make: async () => share(await progressive(), 0.5),
  },
  {
    name: 'a baseline JPEG with Se = 0',
    file: 'phone.jpg',
    make: async () => withoutSpectralEnd(await jpeg()),
  },
  {
    name: 'a PNG that is cut',
    file: 'cut.png',
    isCut: true,
    make: async () => share(await grainy.clone().png().toBuffer(), 0.9),
  },
  {
    name: 'a GIF that is cut',
    file: 'cut.gif',
    isCut: true,
    make: async () => share(await grainy.clone().gif({ effort: 1 }).toBuffer(), 0.9),
  },
]
