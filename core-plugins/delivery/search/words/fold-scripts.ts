import { createRequire } from 'node:module'

const hiragana = /[\u3041-\u3096\u309d\u309e]/g
const toKatakana = 0x60

/** Converts hiragana to katakana: らーめん becomes ラーメン. */
export function foldKana(text: string): string {
  return text.replace(hiragana, (letter) => String.fromCharCode(letter.charCodeAt(0) + toKatakana))
}

const devanagari = /[\u0900-\u097f]/
const nukta = /\u093c/g
/** A nasal before a consonant of its own row, which may be written as a point above: हिन्दी is हिंदी. */
const nasal =
  /\u0919\u094d(?=[\u0915-\u0918])|\u091e\u094d(?=[\u091a-\u091d])|\u0923\u094d(?=[\u091f-\u0922])|\u0928\u094d(?=[\u0924-\u0927])|\u092e\u094d(?=[\u092a-\u092d])|\u0901/g
const anusvara = '\u0902'

/** `text` is decomposed. */
export function foldDevanagari(text: string): string {
  return devanagari.test(text) ? text.replace(nukta, '').replace(nasal, anusvara) : text
}

const load = createRequire(import.meta.url)
/** OpenCC's table, loaded when the first Chinese character occurs. */
let simplify: ((character: string) => string) | undefined
const simplified = new Map<string, string>()
const han = /\p{sc=Han}/gu

/** Converts traditional to simplified Chinese, character by character. */
export function foldHan(text: string): string {
  return text.replace(han, (character) => simplified.get(character) ?? lookedUp(character))
}

/** Cached; about ten thousand characters are in use. */
function lookedUp(character: string): string {
  simplify ??= load('opencc-js/t2cn').Converter({ from: 't', to: 'cn' }) as (character: string) => string
  const simple = simplify(character)
  simplified.set(character, simple)
  return simple
}
