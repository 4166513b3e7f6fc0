import { domainToASCII } from 'node:url'
import formats from 'ajv-formats/dist/formats.js'

const longest = 255
const asciiAddress = formats.fullFormats.email as RegExp
const localPart = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u
const domainPart = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u
const unseen = /\p{Default_Ignorable_Code_Point}/u

/**
 * The single form in which an address is stored, compared and sent to: lower case, composed (NFC), with the domain in
 * ASCII (`xn--…`). Undefined if the text is not an address. Besides what the format `email` of JSON Schema refuses,
 * this refuses letters before the `@` that normalisation would turn into others, and invisible ones, because two
 * mailboxes must not be taken for one.
 */
export function emailAddressOf(text: string): string | undefined {
  if (text.length > longest) return undefined
  if (asciiAddress.test(text)) return text.toLowerCase()
  const at = text.lastIndexOf('@')
  const [local, domain] = [localPartOf(text.slice(0, at)), domainOf(text.slice(at + 1))]
  if (local === undefined || domain === undefined) return undefined
  const address = `${local}@${domain}`
  return address.length > longest ? undefined : address
}

function localPartOf(text: string): string | undefined {
  if (!localPart.test(text) || unseen.test(text) || [...text].some(turnsIntoOther)) return undefined
  return text.normalize('NFC').toLowerCase().normalize('NFC')
}

/** Whether normalisation would change the letter: full-width and mathematical letters, ligatures, the Kelvin sign. */
function turnsIntoOther(letter: string): boolean {
  const composed = letter.normalize('NFC')
  return composed !== letter.normalize('NFKC') || (letter > '\x7f' && composed <= '\x7f')
}

function domainOf(text: string): string | undefined {
  if (!domainPart.test(text) || unseen.test(text)) return undefined
  const ascii = domainToASCII(text)
  const isName = asciiAddress.test(`a@${ascii}`) && !/\.\d+$/.test(ascii)
  return isName ? ascii : undefined
}
