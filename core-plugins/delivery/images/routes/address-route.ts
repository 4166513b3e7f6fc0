import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idParams,
  type Principal,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import { isUndecoded, type MediaRecord, svgType } from '../../media/media.ts'
import type { ImageRequest } from '../address/image-addresses.ts'
import { imageFits, imageFormats, limits } from '../address/image-options.ts'

/** Makes the address of an image for a caller; checks whether the caller may read the record. @throws AppError 400, 403 */
export type AddressFor = (
  principal: Principal,
  media: Pick<MediaRecord, 'filename' | 'mimeType' | 'width' | 'height' | 'focalX' | 'focalY'>,
  request: ImageRequest,
) => string

export interface AddressRouteDeps {
  readonly addressFor: AddressFor
  readonly find: (id: number, principal: Principal) => Promise<MediaRecord | undefined>
}

const within = ([minimum, maximum]: readonly [number, number]) =>
  Type.Optional(Type.Integer({ minimum, maximum }))
const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Union(values.map((value) => Type.Literal(value))))

/** Returns addresses to callers that cannot sign; see docs/images.md. */
export const createAddressRoute = ({ addressFor, find }: AddressRouteDeps): Route =>
  defineRoute({
    name: 'media:files.image-url',
    method: 'GET',
    path: '/media/:id/image-url',
    tag: 'Media',
    summary: 'The address of an image at another size, signed where it has to be',
    description:
      'Admin users and API tokens get any address, end users only those that need no signature. For good: it does not expire.',
    access: 'permission',
    scope: 'media:read',
    policies: ['media.read'],
    params: idParams,
    query: Type.Object(
      {
        width: within(limits.width),
        height: within(limits.height),
        fit: oneOf(imageFits),
        format: oneOf(imageFormats),
        quality: within(limits.quality),
        blur: within(limits.blur),
        preset: Type.Optional(Type.String({ maxLength: 32 })),
      },
      strict,
    ),
    response: Type.Object({ url: Type.String() }, strict),
    async handler({ params, query, principal }) {
      const media = await find(params.id, principal)
      if (media === undefined) throw AppError.notFound(`media ${params.id}`)
      return { url: addressFor(principal, media, query) }
    },
  })

/** Whether image variants of a file can be made. */
export const isRaster = ({ mimeType, width }: { readonly mimeType: unknown; readonly width: unknown }) =>
  String(mimeType).startsWith('image/') &&
  mimeType !== svgType &&
  !isUndecoded(String(mimeType)) &&
  typeof width === 'number'
