import { t } from '../../../../../ground/i18n/translate.ts'

/** A picture that is to be uploaded. */
export interface PastedPicture {
  readonly alt: string
  /** Undefined if the HTML only names a local file of the source computer. */
  readonly file: File | undefined
}

const markerScheme = 'pasted:'

/** Pictures with a web address may stay in the text. */
const kept = 'img[src^="https:" i], img[src^="http:" i], img[src^="/"]'

/** Replaces every embedded or local picture with a marker. Pictures inside locked content are moved below it. */
export function takePictures(container: Element): readonly PastedPicture[] {
  return [...container.querySelectorAll(`img:not(${kept})`)].map((image, index) => {
    const picture = pictureOf(image, index)
    image.setAttribute('src', `${markerScheme}${index}`)
    image.closest('table, figure:has(figcaption), dl, details')?.after(image)
    return picture
  })
}

/** The index of the picture that a mark stands for. */
export function markedPicture(src: unknown): number | undefined {
  return typeof src === 'string' && src.startsWith(markerScheme)
    ? Number(src.slice(markerScheme.length))
    : undefined
}

function pictureOf(image: Element, index: number): PastedPicture {
  const alt = image.getAttribute('alt') ?? ''
  const name = t('richtext.pastedName', { number: index + 1 })
  return { alt, file: fileOfData(image.getAttribute('src') ?? '', name) }
}

/** Decodes a `data:` URL, which the page's Content Security Policy does not allow to fetch. */
function fileOfData(address: string, name: string): File | undefined {
  const [, type = '', encoding, data = ''] =
    /^data:image\/([\w.+-]+)(?:;(?!base64)[^;,]*)*(;base64)?,(.*)$/is.exec(address) ?? []
  if (type === '') return undefined
  try {
    const text = decodeURIComponent(data)
    const bytes =
      encoding === undefined
        ? new TextEncoder().encode(text)
        : Uint8Array.from(atob(text.replace(/\s/g, '')), (each) => each.charCodeAt(0))
    return pictureFile(bytes, type.toLowerCase(), name)
  } catch {
    return undefined
  }
}

/** The service checks that the extension fits the file's content. */
export function pictureFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): File {
  const extension = { jpeg: 'jpg', 'svg+xml': 'svg' }[type] ?? type
  return new File([bytes], `${name}.${extension}`, { type: `image/${type}` })
}
