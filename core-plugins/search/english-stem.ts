// M.F. Porter, An algorithm for suffix stripping, Program 14 (1980). Steps are numbered as there.

const consonant = '[^aeiou]'
const vowel = '[aeiouy]'
const consonants = `${consonant}[^aeiouy]*`
const vowels = `${vowel}[aeiou]*`
/** Sequences of vowels and consonants: m > 0, m = 1, m > 1. */
const hasOne = new RegExp(`^(${consonants})?${vowels}${consonants}`)
const isOne = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`)
const hasTwo = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`)
const hasVowel = new RegExp(`^(${consonants})?${vowel}`)
const endsShort = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`)

const step2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const step3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const step4 =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/

/** What English words of one stem have in common: `connect` of `connected`, `connecting`, `connections`. */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const first = word.startsWith('y')
  const marked = first ? `Y${word.slice(1)}` : word
  const stem = [dropPlural, dropPast, turnY, replaceStep2, replaceStep3, dropStep4, dropE].reduce(
    (rest, step) => step(rest),
    marked,
  )
  return first ? `y${stem.slice(1)}` : stem
}

function dropPlural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function dropPast(word: string): string {
  if (word.endsWith('eed')) return hasOne.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const rest = word.replace(/(ed|ing)$/, '')
  if (rest === word || !hasVowel.test(rest)) return word
  if (/(at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1)
  return endsShort.test(rest) ? `${rest}e` : rest
}

function turnY(word: string): string {
  return word.endsWith('y') && hasVowel.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

const replaceStep2 = (word: string) => replaceEnding(word, step2)
const replaceStep3 = (word: string) => replaceEnding(word, step3)

function replaceEnding(word: string, endings: readonly (readonly [string, string])[]): string {
  const found = endings.find(([ending]) => word.endsWith(ending))
  if (found === undefined) return word
  const rest = word.slice(0, -found[0].length)
  return hasOne.test(rest) ? rest + found[1] : word
}

function dropStep4(word: string): string {
  const rest = step4.exec(word)?.[1]
  return rest !== undefined && hasTwo.test(rest) ? rest : word
}

function dropE(word: string): string {
  const rest = word.slice(0, -1)
  const isDropped = word.endsWith('e') && (hasTwo.test(rest) || (isOne.test(rest) && !endsShort.test(rest)))
  const dropped = isDropped ? rest : word
  return dropped.endsWith('ll') && hasTwo.test(dropped) ? dropped.slice(0, -1) : dropped
}
