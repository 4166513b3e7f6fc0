import xxhash from 'xxhash-wasm'
import { type Encoding, encodings } from './compression.ts'

const { h64Raw } = await xxhash()

const encodedSuffixes = encodings.map((encoding) => `-${encoding}"`)

/** A weak tag: the same whether or not the body is compressed on its way. */
export function etagOf(body: Uint8Array): string {
  return `W/"${h64Raw(body).toString(36)}"`
}

/** A strong tag that begins with the version of the data: the part that `If-Match` is compared with. */
export function versionedTagOf(version: string, body: Uint8Array): string {
  return `"${version}-${h64Raw(body).toString(36)}"`
}

/** The tag of a compressed copy: a strong tag stands for the very bytes that are sent. */
export function encodedTagOf(tag: string, encoding: Encoding): string {
  return tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}-${encoding}"`
}

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
export function isNoneMatch(header: string, etag: string): boolean {
  return knownTagIn(header, etag) !== undefined
}

/**
 * The tag in `If-None-Match` that names the answer, in any encoding that the client may have. A 304 repeats it,
 * because caches find the copy to keep using by its strong tag.
 */
export function knownTagIn(header: string, etag: string): string | undefined {
  if (header === '*') return etag
  const opaque = opaqueTag(etag)
  for (const candidate of header.split(',')) {
    const tag = candidate.trim()
    if (opaqueTag(tag) === opaque) return etag.startsWith('W/') ? etag : tag
  }
  return undefined
}

/** Whether `If-Match` names the version; weak tags count too, because proxies that compress an answer weaken its tag. */
export function isVersionMatch(header: string, version: string): boolean {
  return header.split(',').some((tag) => /^(?:W\/)?"?([^-"]*)/.exec(tag.trim())?.[1] === version)
}

function opaqueTag(etag: string): string {
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag
  for (const suffix of encodedSuffixes)
    if (opaque.endsWith(suffix)) return `${opaque.slice(0, -suffix.length)}"`
  return opaque
}
