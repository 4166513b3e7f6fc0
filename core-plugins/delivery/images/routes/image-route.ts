import { Type } from 'typebox'
import { AppError, defineRoute, type Reply, type Route, redirect } from '../../../foundation/http/http.ts'
import { type FileRequest, type Media, variantKey } from '../../media/media.ts'
import type { ImageAddresses, Permit } from '../address/image-addresses.ts'
import { type ImageFormat, type ImageOptions, normalise, spell } from '../address/image-options.ts'
import { parseVariant } from '../address/parse-variant.ts'
import { mediaTypes } from '../variants/make-variant.ts'
import type { SourceFiles } from '../variants/source-files.ts'
import type { Uses } from '../variants/uses.ts'
import type { Variants } from '../variants/variants.ts'

export interface ImageRouteDeps {
  readonly addresses: ImageAddresses
  readonly files: SourceFiles
  readonly media: Pick<Media, 'presentFile' | 'route' | 'serve' | 'storage' | 'urlOf'>
  readonly uses: Uses
  readonly variants: Variants
}

/** Matches the files of records, but not their thumbnails, which are already small. */
const fileShape = /^[0-9a-f]{32}\.[a-z0-9]{1,16}$/

const noStore = { 'cache-control': 'no-store' }
/** For redirects from non-canonical options, whose target changes only if a version of the service changes defaults. */
const forADay = { 'cache-control': 'public, max-age=86400' }
/** For redirects that depend on presets or focal points. */
const forAMinute = { 'cache-control': 'public, max-age=60' }

interface AskedImage {
  readonly file: string
  readonly options: ImageOptions
}

/** `GET <storage.baseUrl>/<filename>/<options>.<format>`; see docs/images.md. */
export function createImageRoute(deps: ImageRouteDeps): Route {
  const { addresses, files, media } = deps

  const urlOf = (file: string, name: string) => `${media.urlOf(file)}/${name}`

  async function toPreset(file: string, preset: { name: string; format: ImageFormat }): Promise<Reply> {
    const focus = await files.focusOf(file)
    const options = addresses.presetOf(preset.name, preset.format, focus)
    return redirect(urlOf(file, addresses.nameOf(file, options)), forAMinute)
  }

  /**
   * A preset has one focal point at a time, so that callers cannot have others made. Addresses with an earlier focal point
   * redirect and so continue to work.
   */
  async function movedFocus(asked: AskedImage, permit: Permit): Promise<Reply | undefined> {
    const { file, options } = asked
    if (permit !== 'preset' || options.fit !== 'cover') return undefined
    const current = normalise({ ...options, focus: await files.focusOf(file) })
    const name = spell(current)
    return name === spell(options) ? undefined : redirect(urlOf(file, name), noStore)
  }

  /** Redirects to the WebP until the AVIF is made. A redirect, since clients cache each address for a year. */
  function toLighter({ file, options }: AskedImage): Reply {
    const lighter = normalise({ ...options, format: 'webp' })
    return redirect(urlOf(file, addresses.nameOf(file, lighter)), noStore)
  }

  async function answer(request: FileRequest, asked: AskedImage): Promise<Reply> {
    const { file, options } = asked
    // Clients that are redirected to the storage do not come back if the file no longer exists there.
    const moved = media.storage.locate === undefined ? undefined : await toPresent(asked, deps)
    if (moved !== undefined) return moved
    const ops = spell(options)
    const served = {
      key: variantKey(file, ops),
      mediaType: mediaTypes[options.format],
      headers: () => ({ 'content-disposition': 'inline' }),
    }
    const found = await media.serve(request, served)
    if (found !== undefined) {
      deps.uses.note({ file, ops })
      return found
    }
    const present = await toPresent(asked, deps)
    if (present !== undefined) return present
    if ((await deps.variants.ensure(file, options)) === 'heavy') return toLighter(asked)
    const made = await media.serve(request, served)
    if (made !== undefined) return made
    throw new AppError('UNAVAILABLE', 'this image was removed just now; try again', {
      reason: 'file_changed',
      headers: { 'retry-after': '1' },
    })
  }

  return defineRoute({
    ...media.route,
    path: `${media.route.path}/:image`,
    alsoAt: () => media.route.alsoAt().map((path) => `${path}/:image`),
    name: 'images:images.read',
    method: 'GET',
    summary: 'Read an image at another size',
    description:
      '`w640.webp`, `p-<preset>.avif`, or `w800-h450-cover-q75-s<signature>.jpg`. Takes what the file itself takes.',
    access: 'open',
    params: Type.Object({ filename: Type.String(), image: Type.String() }),
    rawResponse: 'image/*',
    async handler(request) {
      const { filename: file, image } = request.params
      if (!fileShape.test(file)) throw AppError.notFound('file')
      const parsed = parseVariant(image)
      if (parsed.kind === 'preset') return toPreset(file, parsed)
      const { options, signature } = parsed
      const permit = addresses.permitOf(file, options, signature)
      if (permit === undefined) throw unsigned()
      const canonical = spell(options, permit === 'signature' ? signature : undefined)
      if (canonical !== image) return redirect(urlOf(file, canonical), forADay, 301)
      const asked = { file, options }
      return (await movedFocus(asked, permit)) ?? answer(request, asked)
    },
  })
}

/** Redirects to the same variant of the file that replaced this one. */
async function toPresent(
  { file, options }: AskedImage,
  { addresses, media }: ImageRouteDeps,
): Promise<Reply | undefined> {
  const present = await media.presentFile(file)
  if (present === undefined) return undefined
  return redirect(`${media.urlOf(present)}/${addresses.nameOf(present, options)}`, noStore)
}

function unsigned(): AppError {
  const message =
    'is missing: only widths of the ladder in AVIF, WebP and JPEG, and presets, need none (docs/images.md)'
  return AppError.invalid([{ path: 'signature', code: 'required', message }])
}
