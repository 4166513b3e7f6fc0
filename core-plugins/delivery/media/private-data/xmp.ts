/** Prefixes of properties about how a picture is shown: gain maps, panoramas, motion photos. */
const shownPrefixes = 'hdrgm|HDRGainMap|GPano|GContainer|Container|Item|GCamera|Camera|OpCamera|MotionPhoto'

/** Properties about creator, content and rights. */
const wordNames =
  'dc:(?:title|description|creator|rights|subject)|xmpRights:\\w+|photoshop:(?:Headline|Credit|AuthorsPosition)|Iptc4xmpCore:(?:AltTextAccessibility|ExtDescrAccessibility)|plus:\\w+|tiff:Orientation|exif:ColorSpace'

const publicNames = `(?:(?:${shownPrefixes}):\\w+|${wordNames})`
const attributes = new RegExp(`\\s${publicNames}=(?:"[^"<]*"|'[^'<]*')`, 'g')
const tags = new RegExp(`<(/?)(${publicNames})(?:\\s[^<>]*)?/?>`, 'g')
const namespaces = /\sxmlns:[\w-]+=(?:"[^"<]*"|'[^'<]*')/g
const openingTag = /<rdf:Description\b[^<>]*>/g

/** Larger packets are dropped, since they are slow to search. */
const mostBytes = 256 * 1024

/**
 * The public part of an XMP packet, padded with spaces to the same length. A new packet is built from properties known to
 * reveal neither place nor device; all others are dropped.
 */
export function publicXmp(packet: Buffer): Buffer {
  const blank = Buffer.alloc(packet.length, ' ')
  if (packet.length > mostBytes) return blank
  const text = packet.toString('utf8')
  const found = elementsIn(text)
  const said = (text.match(openingTag) ?? []).flatMap((tag) => tag.match(attributes) ?? [])
  if (found.length + said.length === 0) return blank
  const names = new Map(
    (text.match(namespaces) ?? []).map((each) => [each.trim().split('=')[0], each.trim()]),
  )
  const description = `<rdf:Description rdf:about="" ${[...names.values()].join(' ')}${[...new Set(said)].join('')}>`
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
  const kept = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${rdf}>${description}${found.join('')}</rdf:Description></rdf:RDF></x:xmpmeta>`
  if (Buffer.byteLength(kept) <= packet.length) blank.write(kept)
  return blank
}

/** In one pass, since a hostile packet may open thousands of elements that it never closes. */
function elementsIn(text: string): string[] {
  const found: string[] = []
  let open: { readonly name: string; readonly start: number } | undefined
  for (const { 0: tag, 1: slash, 2: name = '', index } of text.matchAll(tags)) {
    const end = index + tag.length
    if (open !== undefined) {
      if (slash !== '/' || name !== open.name) continue
      found.push(text.slice(open.start, end))
      open = undefined
    } else if (tag.endsWith('/>')) found.push(tag)
    else if (slash === '') open = { name, start: index }
  }
  return found
}
