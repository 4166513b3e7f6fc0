import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { MediaRecord } from '../media/media.ts'
import type { ImageRequest } from './address/image-addresses.ts'

export type { ImageRequest } from './address/image-addresses.ts'
export type { ImageFit, ImageFormat } from './address/image-options.ts'

/** Image variants for other plugins. Callers must check permissions. */
export interface Images {
  /**
   * The address of an image in another size, cropped around its focal point, and signed if necessary: anybody with the address
   * may have the image made.
   * @throws AppError 400 for files that are not images, and with all problems of the request
   */
  urlOf(
    media: Pick<MediaRecord, 'filename' | 'mimeType' | 'width' | 'height' | 'focalX' | 'focalY'>,
    request: ImageRequest,
  ): string
}

/** Addresses of images in other sizes and formats. */
export const imagesService: ServiceToken<Images> = service('images')
