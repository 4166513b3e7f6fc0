import xxhash from 'xxhash-wasm'

const { h64Raw } = await xxhash()

/** A weak tag: the same whether or not the body is compressed on its way. */
export function etagOf(body: Uint8Array): string {
  return `W/"${h64Raw(body).toString(36)}"`
}

/** A strong tag that begins with the version of the data: the part that `If-Match` is compared with. */
export function versionedTagOf(version: string, body: Uint8Array): string {
  return `"${version}-${h64Raw(body).toString(36)}"`
}

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
export function isNoneMatch(header: string, etag: string): boolean {
  if (header === '*') return true
  const opaque = opaqueTag(etag)
  return header.split(',').some((candidate) => opaqueTag(candidate.trim()) === opaque)
}

/** Whether `If-Match` names the version; weak tags count too, because proxies that compress an answer weaken its tag. */
export function isVersionMatch(header: string, version: string): boolean {
  return header.split(',').some((tag) => /^(?:W\/)?"?([^-"]*)/.exec(tag.trim())?.[1] === version)
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}
