import { t } from '../../../../../ground/i18n/translate.ts'

/** A picture that is to be uploaded. */
export interface PastedPicture {
  readonly alt: string
  /** Undefined if the text only names a file of the computer that it comes from. */
  readonly file: File | undefined
}

const markerScheme = 'pasted:'

/** What is an address on the web may stand in a text. */
const kept = 'img[src^="https:" i], img[src^="http:" i], img[src^="/"]'

/**
 * Puts a mark in place of every picture that would be stored with the text, or that is a file elsewhere. Pictures in what
 * the editor only keeps come to stand below it.
 */
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

/** The file in a `data:` address, which the policy of the page does not let one fetch. */
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

/** The service looks whether names fit what is in files. */
export function pictureFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): File {
  const extension = { jpeg: 'jpg', 'svg+xml': 'svg' }[type] ?? type
  return new File([bytes], `${name}.${extension}`, { type: `image/${type}` })
}
