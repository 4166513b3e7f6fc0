import { decode } from 'html-entities'
import { readPart, withFile } from '../open-file.ts'
import { iptcText } from './photoshop.ts'

/** Texts embedded in a picture, used for the texts of its record. */
export interface EmbeddedWords {
  readonly alt?: string
  readonly caption?: string
}

/** Embedded texts are at the beginning or at the end of a picture. */
const inspectedBytes = 256 * 1024
const maxLength = 2_000

const photoshop = 'Photoshop 3.0\0'
const dataset = { creator: 80, caption: 120 }

/** Reads alternative text, caption and creator from XMP, and missing ones from IPTC. */
export function wordsIn(path: string): EmbeddedWords {
  return withFile(path, (file, size) => {
    const head = readPart(file, 0, Math.min(size, inspectedBytes))
    const tailAt = Math.max(head.length, size - inspectedBytes)
    const tail = readPart(file, tailAt, size - tailAt)
    const xmp = packetIn(head) ?? packetIn(tail) ?? ''
    const at = head.indexOf(photoshop)
    const iptc = at === -1 ? Buffer.alloc(0) : head.subarray(at + photoshop.length)
    const caption = xmpText(xmp, 'dc:description') ?? iptcText(iptc, dataset.caption)
    const creator = xmpText(xmp, 'dc:creator') ?? iptcText(iptc, dataset.creator)
    return present({
      alt: tidy(xmpText(xmp, 'Iptc4xmpCore:AltTextAccessibility')),
      caption: tidy([caption, creator && `(${creator})`].filter(Boolean).join(' ')),
    })
  })
}

function packetIn(bytes: Buffer): string | undefined {
  const start = bytes.indexOf('<x:xmpmeta')
  const end = bytes.indexOf('</x:xmpmeta>', start)
  return start === -1 || end === -1 ? undefined : bytes.toString('utf8', start, end)
}

/** The first text of a property, which is in the default language. */
function xmpText(packet: string, name: string): string | undefined {
  const start = packet.indexOf(`<${name}>`)
  const end = packet.indexOf(`</${name}>`, start)
  if (start === -1 || end === -1) return undefined
  const text = /<rdf:li[^<>]*>([^<]*)</.exec(packet.slice(start, end))?.[1]
  return text === undefined ? undefined : decode(text, { level: 'xml' })
}

function tidy(text: string | undefined): string | undefined {
  return text
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '')
}

function present(words: { alt: string | undefined; caption: string | undefined }): EmbeddedWords {
  return Object.fromEntries(Object.entries(words).filter(([, text]) => text !== undefined && text !== ''))
}
