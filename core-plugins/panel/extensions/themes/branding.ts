import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'

/** Texts by name, and URLs of pictures. */
export type Branding = Readonly<Record<string, string>>

/** The names of pictures. */
const pictureNames = ['logo', 'logoDark', 'favicon', 'background']

const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
}

const maxPictureBytes = 64 * 1024
const maxTextLength = 500
const dataUrl = /^data:image\/(svg\+xml|png|jpeg|webp|gif|x-icon);base64,[A-Za-z0-9+/]+=*$/

/**
 * Returns the branding of a theme, with pictures from its folder inlined as data URLs, and everything that is
 * wrong with it.
 */
export function readBranding(branding: unknown, folder: string): { branding: Branding; problems: string[] } {
  if (typeof branding !== 'object' || branding === null || Array.isArray(branding)) {
    return { branding: {}, problems: ['branding must be an object'] }
  }
  const read = Object.entries(branding).map(([name, value]) => ({ name, ...readValue(name, value, folder) }))
  return {
    branding: Object.fromEntries(read.map(({ name, value }) => [name, value ?? ''])),
    problems: read.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`branding.${name} ${problem}`],
    ),
  }
}

type ReadValue = { readonly value?: string; readonly problem?: string }

function readValue(name: string, value: unknown, folder: string): ReadValue {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) return { problem: 'must have a name of letters and digits' }
  if (typeof value !== 'string') return { problem: 'must be a text' }
  if (pictureNames.includes(name)) return readPicture(value, folder)
  const isText = value.length <= maxTextLength && /^[^\p{Cc}]*$/u.test(value)
  return isText ? { value } : { problem: `must be a text of at most ${maxTextLength} characters in one line` }
}

function readPicture(address: string, folder: string): ReadValue {
  if (address.startsWith('./')) return readFile(address, folder)
  if (address.startsWith('data:')) {
    const isPicture = address.length <= maxPictureBytes * 2 && dataUrl.test(address)
    return isPicture ? { value: address } : { problem: 'must be a picture in base64 of at most 64 KiB' }
  }
  const isAddress = /^(https:\/\/|\/(?!\/))[^\s"'<>()\\\p{Cc}]*$/u.test(address) && address.length <= 2_000
  if (isAddress) return { value: address }
  return { problem: 'must be ./file, /path on this server, or an https or data address of a picture' }
}

function readFile(path: string, folder: string): ReadValue {
  const file = join(folder, path)
  const type = mediaTypes[extname(file).toLowerCase()]
  if (type === undefined) return { problem: `must be a file of ${Object.keys(mediaTypes).join(', ')}` }
  if (!existsSync(file) || !statSync(file).isFile()) return { problem: `names ${path}, which does not exist` }
  if (!realpathSync(file).startsWith(realpathSync(folder) + sep)) return { problem: 'is outside the folder' }
  if (statSync(file).size > maxPictureBytes) return { problem: `names ${path}, which is larger than 64 KiB` }
  return { value: `data:${type};base64,${readFileSync(file).toString('base64')}` }
}
