import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { encode } from './encoders.ts'
import type { PictureCase } from './picture-case.ts'

/** Colours from side to side and from top to bottom, and grey in between. */
function gradient(alpha: string): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">
    <linearGradient id="a"><stop stop-color="#d22"/><stop offset=".5" stop-color="#999"/><stop offset="1" stop-color="#2b4"/></linearGradient>
    <linearGradient id="b" x2="0" y2="1"><stop stop-color="#444"/><stop offset="1" stop-color="#44c"/></linearGradient>
    <g opacity="${alpha}"><rect width="600" height="400" fill="url(#a)"/><rect width="600" height="400" fill="url(#b)" opacity=".4"/></g></svg>`
  return sharp(Buffer.from(svg))
}

const opaque = () => gradient('1').flatten().png().toBuffer()
const transparent = () => gradient('.6').png().toBuffer()

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

const headBytes = 33

/** A PNG with chunks behind its header. */
const behindHeader = (png: Buffer, ...chunks: readonly Buffer[]) =>
  Buffer.concat([png.subarray(0, headBytes), ...chunks, png.subarray(headBytes)])

const cicp = (primaries: number, transfer: number) => chunk('cICP', Buffer.from([primaries, transfer, 0, 1]))

function fixed(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(Math.round(value * 100_000), 4 * index)
  return bytes
}

const gamma = (value: number) => chunk('gAMA', fixed(value))
const displayP3 = chunk('cHRM', fixed(0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06))

const png = (name: string, ...chunks: readonly Buffer[]): PictureCase => ({
  name: `a PNG with ${name}`,
  file: 'colours.png',
  make: async () => behindHeader(await opaque(), ...chunks),
})

const avif = (name: string, args: readonly string[], picture = opaque): PictureCase => ({
  name: `an AVIF ${name}`,
  file: 'colours.avif',
  encoder: 'avifenc',
  make: async () =>
    encode('avifenc', ['--min', '2', '--max', '6', ...args], [{ name: 'a.png', bytes: await picture() }]),
})

const moving: PictureCase = {
  name: 'an AVIF that moves',
  file: 'moving.avif',
  encoder: 'avifenc',
  make: async () => {
    const [first, second] = [
      await opaque(),
      await sharp(await opaque())
        .negate()
        .png()
        .toBuffer(),
    ]
    const pictures = [first, second].map((bytes, index) => ({ name: `${index}.png`, bytes }))
    return encode('avifenc', ['--range', 'limited', '--timescale', '10'], pictures)
  },
}

/** Colours that are said in other ways than by a profile, and what else browsers read differently than libvips. */
export const colouredPictures: readonly PictureCase[] = [
  png('cICP of Display P3', cicp(12, 13)),
  png('cICP of BT.709', cicp(1, 1)),
  png('cICP of BT.2020', cicp(9, 14)),
  png('cICP of linear light', cicp(1, 8)),
  png('cICP of sRGB before other colours', cicp(1, 13), gamma(1), displayP3),
  png('gAMA', gamma(0.55556)),
  png('gAMA of sRGB', gamma(0.45455)),
  png('gAMA and cHRM', gamma(0.45455), displayP3),
  png('cHRM alone', displayP3),
  png('sRGB and a wrong gAMA', chunk('sRGB', Buffer.from([0])), gamma(1)),
  { ...png('cICP of PQ', cicp(9, 16)), tolerance: 12 },
  { ...png('cICP of HLG', cicp(9, 18)), tolerance: 30 },
  {
    name: 'a grey PNG with gAMA',
    file: 'grey.png',
    make: async () =>
      behindHeader(
        await sharp(await opaque())
          .greyscale()
          .png()
          .toBuffer(),
        gamma(1),
      ),
  },
  avif('of sRGB', ['--cicp', '1/13/6']),
  avif('of BT.709', ['--cicp', '1/1/1']),
  avif('of Display P3', ['--cicp', '12/13/6']),
  avif('of Display P3 in 10 bits', ['--cicp', '12/13/6', '--depth', '10']),
  avif('of BT.2020 in 12 bits', ['--cicp', '9/14/9', '--depth', '12']),
  { ...avif('of PQ', ['--cicp', '9/16/9', '--depth', '10']), tolerance: 12 },
  { ...avif('of HLG', ['--cicp', '9/18/9', '--depth', '10']), tolerance: 30 },
  avif('with transparency', [], transparent),
  avif('with premultiplied transparency', ['--premultiply'], transparent),
  moving,
  {
    name: 'a 16-bit PNG with a profile',
    file: 'deep.png',
    make: async () =>
      sharp(await opaque())
        .toColorspace('rgb16')
        .withIccProfile('p3')
        .png()
        .toBuffer(),
  },
  {
    name: 'a WebP that says how it was held',
    file: 'held.webp',
    make: async () =>
      sharp(await opaque())
        .withMetadata({ orientation: 6 })
        .webp({ quality: 95 })
        .toBuffer(),
  },
  ...(['jpeg', 'png', 'avif'] as const).map((format) => ({
    name: `a ${format.toUpperCase()} that says how it was held`,
    file: `held.${format}`,
    make: async () =>
      sharp(await opaque())
        .withMetadata({ orientation: 6 })
        .toFormat(format, { quality: 95 })
        .toBuffer(),
  })),
]
