import assert from 'node:assert/strict'
import { request } from 'node:http'
import sharp, { type Sharp } from 'sharp'
import type { MediaService } from '../api/media-support.ts'

/** Colours with a gradient, so that encoders have something to do. */
export function pattern(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <linearGradient id="g"><stop stop-color="#f00"/><stop offset="1" stop-color="#00f"/></linearGradient>
    <rect width="100%" height="100%" fill="url(#g)"/></svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' })
}

export const bytesOf = async (image: Sharp): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await image.toBuffer())

/** What is at an address, as an image. */
export async function imageAt(service: MediaService, url: string) {
  const { response, bytes } = await service.fetchFile(url)
  assert.equal(response.status, 200, `${url}: ${bytes.toString().slice(0, 300)}`)
  const { format, width, height, space, hasAlpha, exif, orientation } = await sharp(bytes).metadata()
  const type = response.headers.get('content-type')
  return { bytes, type, format, width, height, space, hasAlpha, exif, orientation, response }
}

/** The answer to a path as it is: fetch would tidy it up, and follow it. */
export function raw(
  service: MediaService,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{
  status: number
  location: string | undefined
  headers: NodeJS.Dict<string | string[]>
  text: string
}> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, location: headers.location, headers, text: Buffer.concat(parts).toString() })
      })
    })
      .on('error', reject)
      .end()
  })
}

/** The codes of the details of a refusal, by path. */
export function problemsIn({ text }: { readonly text: string }): Record<string, string> {
  const { error } = JSON.parse(text) as { error: { details?: { path: string; code: string }[] } }
  return Object.fromEntries((error.details ?? []).map(({ path, code }) => [path, code]))
}
