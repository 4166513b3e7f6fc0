import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** What stands in an entry, what native readers look for, and what must not be found in it. */
interface Case {
  readonly locale?: string
  readonly text: string
  readonly finds: readonly string[]
  readonly not?: readonly string[]
}

const cases: readonly Case[] = [
  { text: 'コーヒー1杯', finds: ['コーヒー', 'コーヒー1', '1杯'] },
  { text: 'ユーザーIDを入力', finds: ['ユーザー', 'ユーザーID', 'id ', 'ID'] },
  { text: 'ﾊﾞﾅﾅとｶﾞﾑ', finds: ['バナナ', 'ガム', 'ﾊﾞﾅﾅ'], not: ['ハナナ'] },
  { text: 'らーめん屋', finds: ['ラーメン', 'らーめん', 'ﾗｰﾒﾝ'] },
  { text: 'ラーメン店', finds: ['らーめん'] },
  {
    text: '\u1112\u1161\u11ab\u1100\u1173\u11af 소설',
    finds: ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
  },
  { text: '한국 지도', finds: ['\u1112\u1161\u11ab\u1100\u116e\u11a8'], not: ['하국'] },
  { text: 'M&uuml;ller &amp; S&ouml;hne', finds: ['Müller', 'Mueller', 'sohne'] },
  { text: '&Lstrok;&oacute;d&zacute; &euro;&nbsp;5', finds: ['Łódź', 'lodz '] },
  { text: 'Donau\u00addampf\u200bschiff', finds: ['Donaudampfschiff', 'donaudampf'] },
  { text: 'wunder&shy;bar und <b>sonnen<wbr>klar</b>', finds: ['wunderbar', 'sonnenklar'] },
  { text: 'می\u200cخواهم', finds: ['می\u200cخواهم', 'میخواهم'] },
  { locale: 'fr', text: 'Les hôtels de ville', finds: ["l'hôtel", 'l’hotel', "L'HÔTEL ", "d'hôtels"] },
  { locale: 'fr', text: 'Faire des économies', finds: ["d'économie", "l'écono"] },
  { locale: 'it', text: 'Arte moderna', finds: ["dell'arte", "un'arte", "l'Arte"] },
  { locale: 'ca', text: 'Aigua clara', finds: ["l'aigua", "d'aigua"] },
  {
    locale: 'ca',
    text: 'La col·laboració il\u2027limitada',
    finds: ['col·laboració', 'collaboracio', 'col-laboració', 'col.labora', 'il·limitada', 'illimit'],
    not: ['colaboracio'],
  },
  { locale: 'ga', text: 'Uisce fuar', finds: ['t-uisce', "d'uisce"] },
  { locale: 'uk', text: "м'ята", finds: ['м’ята', 'м\u02bcята', "м'ята", "М'ЯТА", "м'ят"] },
  { locale: 'uk', text: 'об\u02bcєкт', finds: ["об'єкт", 'об’єкт'] },
  { locale: 'uk', text: "Жанна д'Арк", finds: ['Арк', "д'Арк"] },
  {
    text: 'Type AB-12/3 of the set',
    finds: ['AB-1', 'ab12', 'AB12/3', 'AB123', 'AB-12/3', 'ab-12'],
    not: ['AB-2', 'AB-12/3/4'],
  },
  {
    text: 'set my_variable here',
    finds: ['my_var', 'my_variable', 'myvariable', 'my-var'],
    not: ['my_var '],
  },
  {
    text: 'Covid-19 cases',
    finds: ['covid-1', 'covid19', 'covid-19', 'covid 19', 'Covid19 '],
    not: ['covid-2', 'covid-1 '],
  },
  { text: 'an old AB 15 engine', finds: ['AB-1', 'ab-15'], not: ['AB-5'] },
  { text: 'ab here, 77 there', finds: ['ab 7'], not: ['ab-7', 'ab-77'] },
  { text: 'Send an e-mail', finds: ['email', 'e-mail', 'e-mails ', 'emails ', 'emai'], not: ['eml'] },
  { text: 'No emails today', finds: ['e-mail', 'e-mails'] },
  { text: 'weighs 1.5kg', finds: ['1.5kg', '1.5k'], not: ['15kg'] },
  { text: "they don't know", finds: ["don't", 'dont', 'don’t'] },
  {
    locale: 'de',
    text: 'Häuser von Müller',
    finds: ['Haeuser', 'haeuser mueller', 'Müller', 'muller', 'Haus', 'Muell'],
  },
  { locale: 'de', text: 'Herr Mueller und seine Haeuser', finds: ['Müller', 'Häuser', 'Haus', 'mülle'] },
  { locale: 'da', text: 'Århus og Ærø', finds: ['aarhus', 'Aarhus ', 'arhus', 'aero'] },
  { locale: 'da', text: 'Aarhus og Koebenhavn', finds: ['århus', 'København'] },
  { locale: 'hi', text: 'हिन्दी की किताब', finds: ['हिंदी', 'हिन्दी'] },
  { locale: 'hi', text: 'लड़का और सड़क', finds: ['लडका', 'लड\u093cका', 'सडक'] },
  { text: 'كتاب علي', finds: ['کتاب', 'علی', 'على'] },
  { text: 'یک کتاب', finds: ['كتاب', 'يك'] },
  { text: '漢語詞典', finds: ['汉语', '詞典', '词典'] },
  { text: '汉语词典大全', finds: ['漢語', '詞典大全'] },
  { text: 'Programming in C++ and C#', finds: ['C++', 'c#', 'C', 'c++ '] },
  { text: 'Plain C, for you', finds: ['C'], not: ['C++', 'C#'] },
]

const wide = Array.from({ length: 60 }, (_, index) => ({ name: `text${index}`, type: 'text' }))

const schemas = {
  'wide.json': {
    kind: 'collectionType',
    info: { singularName: 'wide', pluralName: 'wides', displayName: 'Wide' },
    attributes: Object.fromEntries(wide.map(({ name, type }) => [name, { type }])),
  },
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { i18n: { enabled: true, locales: ['en', 'fr', 'it', 'ca', 'ga', 'uk', 'de', 'da', 'hi'] } },
    attributes: { text: { type: 'richtext' }, number: { type: 'integer' } },
  },
}

eachDatabase(({ name: database }) => {
  describe('words as native readers look for them', () => {
    let service: TestService
    before(async () => {
      service = await startService({ schemas, database })
      for (const [number, { text, locale = 'en' }] of cases.entries())
        expectStatus(await service.admin.post('/api/content/note', { text, locale, number }), 201)
      await until(async () => (await numbersOf('/api/search?q=plain&locale=en')).length === 1)
    })
    after(() => service?.stop())

    async function numbersOf(path: string): Promise<number[]> {
      const { body } = expectStatus(await service.admin.get(path), 200)
      return body.data.map(
        ({ number, entry }: { number?: number; entry?: { number: number } }) => number ?? entry?.number,
      )
    }

    for (const [number, { text, locale, finds, not = [] }] of cases.entries()) {
      it(`are found in ${text}`, async () => {
        const isFound = async (q: string) => {
          const asked = encodeURIComponent(q)
          const named = locale === undefined ? '' : `&locale=${locale}`
          const answers = await Promise.all([
            numbersOf(`/api/search?q=${asked}&limit=100${named}`),
            numbersOf(`/api/search?q=${asked}&limit=100&fields=text${named}`),
            numbersOf(`/api/content/note?search=${asked}&limit=100${named}`),
            numbersOf(`/api/content/note?search=${asked}&limit=100`),
          ])
          return answers.map((found) => found.includes(number))
        }
        for (const q of finds) assert.deepEqual(await isFound(q), [true, true, true, true], q)
        for (const q of not) assert.deepEqual(await isFound(q), [false, false, false, false], q)
      })
    }

    it('are looked for in many fields as far as a database takes it', async () => {
      const q = encodeURIComponent(Array.from({ length: 99 }, () => 'слово').join('-'))
      const fields = wide.map(({ name }) => name).join()
      expectStatus(await service.admin.get(`/api/search?q=${q}&types=wide&fields=${fields}`), 200)
      expectStatus(await service.admin.get(`/api/search?q=${q}&types=wide`), 200)
    })

    it('are marked where they stand', async () => {
      const highlightOf = async (q: string) => {
        const { body } = await service.admin.get(`/api/search?q=${encodeURIComponent(q)}`)
        return body.data.map(({ highlights }: { highlights: { text?: string } }) => highlights.text)
      }
      assert.deepEqual(await highlightOf('Donaudampfschiff'), ['<mark>Donau\u00addampf\u200bschiff</mark>'])
      assert.ok((await highlightOf('email')).includes('Send an <mark>e-mail</mark>'))
      assert.ok((await highlightOf('Mueller ')).includes('<mark>Müller</mark> &amp; Söhne'))
      assert.deepEqual(await highlightOf('covid-1'), ['<mark>Covid-19</mark> cases'])
      assert.deepEqual(await highlightOf('C++'), ['Programming in <mark>C</mark>++ and C#'])
    })
  })
})
