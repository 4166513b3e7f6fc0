import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { highlight } from '../../core-plugins/delivery/search/highlight.ts'
import { plainText } from '../../core-plugins/delivery/search/plain-text.ts'
import { termsIn } from '../../core-plugins/delivery/search/terms.ts'
import { anywhere, encoded } from '../../core-plugins/delivery/search/tokens.ts'
import { stemsOf } from '../../core-plugins/delivery/search/words/stem.ts'
import { WordFinder, wordPattern } from '../../core-plugins/delivery/search/words/word-finder.ts'
import { wordsIn } from '../../core-plugins/delivery/search/words/words.ts'
import { slow } from '../support/scope.ts'

const words = (text: string) => [...wordsIn(text)].map((word) => word.text)

describe('words', () => {
  it('are without case and accents', () => {
    assert.deepEqual(words('Crème BRÛLÉE, Straße & Łódź'), ['creme', 'brulee', 'strasse', 'lodz'])
    assert.deepEqual(words('ΟΔΌΣ οδός Ёлка İstanbul'), ['οδοσ', 'οδοσ', 'елка', 'istanbul'])
  })

  it('are single characters in scripts without spaces', () => {
    assert.deepEqual(words('日本語 test ไทย'), ['日', '本', '语', 'test', 'ไ', 'ท', 'ย'])
  })

  it('end at everything that is no letter and no digit', () => {
    assert.deepEqual(words(`don't a-b.c@d "x" 1.5 \u{1f388}`), [
      'don',
      't',
      'a',
      'b',
      'c',
      'd',
      'x',
      '1',
      '5',
    ])
    assert.deepEqual(words(' \0\t…'), [])
  })

  it('stand where they stand', slow, () => {
    const isThere = (text: string) =>
      [...wordsIn(text)].every(({ start, end }) => start < end && end <= text.length)
    fc.assert(fc.property(fc.string({ unit: 'binary' }), isThere))
  })

  it('are found sign by sign as the pattern finds them, in every script', () => {
    const everywhere = new RegExp(wordPattern.source, 'gv')
    const isSame = (text: string) => {
      const finder = new WordFinder(text)
      const found: string[] = []
      while (finder.next()) found.push(`${finder.start} ${text.slice(finder.start, finder.end)}`)
      const expected = Array.from(text.matchAll(everywhere), ({ index, 0: word }) => `${index} ${word}`)
      assert.deepEqual(found, expected)
    }
    const sign = fc.constantFrom(
      ...Array.from("aZ09 .-'’\u02bcЯяєїЄü\u0301\u00ad\u200b\u200cーカは漢𠮷한\u1112\u1161\u11ab"),
      ...Array.from('\uff9e\uff76กำ\u0e31हि\u094dن\u064b\u{1f600}\u{1d400}\u{e0100}\u3099'),
      ...['\ud83d', '\ude00'],
    )
    fc.assert(fc.property(fc.string({ unit: sign, maxLength: 40 }), isSame), { numRuns: 2000 })
    for (let first = 0; first < 0x1_0000; first += 0x100) {
      const codes = Array.from({ length: 0x100 }, (_, index) => String.fromCharCode(first + index))
      isSame(codes.map((code) => `a${code}b Я${code}я は${code} ${code}x `).join(''))
    }
  })

  it('go to the databases as ASCII, their beginnings as beginnings', () => {
    const isPlain = (text: string) => words(text).every((word) => /^[a-z0-9_]{1,78}$/.test(encoded(word)))
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), isPlain))
    assert.ok(encoded('москва').startsWith(encoded('мос')))
    assert.equal(anywhere.stem + encoded('run'), 'zsrun')
  })
})

describe('stems', () => {
  const stems = (text: string, ...locales: string[]) =>
    [...wordsIn(text)].flatMap((word) => stemsOf(word, locales))
  const areAlike = (locale: string, ...forms: string[]) => {
    const [first = []] = forms.map((form) => stems(form, locale))
    for (const form of forms)
      assert.ok(
        stems(form, locale).some((stem) => first.includes(stem)),
        form,
      )
  }

  it('are what the forms of a word have in common', () => {
    areAlike('en', 'connect', 'connected', 'connections')
    areAlike('en-GB', 'Running', 'runs', 'run')
    areAlike('de', 'Haus', 'Häuser', 'hauses')
    areAlike('fr', 'cheval', 'chevaux')
    areAlike('ru', 'книга', 'Книгами')
    areAlike('pt_BR', 'livro', 'livros')
  })

  it('are found with and without the accents', () => {
    areAlike('fr', 'mangées', 'mangees')
    areAlike('es', 'canción', 'cancion', 'canciones')
  })

  it('are those of all languages that are asked for, and of none that is not known', () => {
    assert.deepEqual(stems('running', 'xx', 'constructor', ''), [])
    assert.deepEqual(stems('bilar', 'sv', 'en'), ['bil', 'bilar'])
    assert.deepEqual(stems('日本 42', 'en'), ['日', '本', '42'])
  })
})

describe('what is searched', () => {
  const terms = (text: string) =>
    termsIn(text, { locales: ['xx'] }).map(({ words: all, isExcluded, isPrefix }) =>
      [isExcluded ? '-' : '', all.join(' '), isPrefix ? '*' : ''].join(''),
    )

  it('is words, phrases and exclusions', () => {
    assert.deepEqual(terms('red "green blue" -black -"white grey" yel'), [
      'red',
      'green blue',
      '-black',
      '-white grey',
      'yel*',
    ])
    assert.deepEqual(terms('a-b 1.5 e@x.org'), ['a b', '1 5', 'e x org*'])
    assert.deepEqual(terms('done '), ['done'])
    assert.deepEqual(terms('"open end'), ['open end'])
  })

  it('is nothing where there are no words', () => {
    for (const text of ['', ' ', '"', '""', '-', '- -', '"-"', '*', '()', '-"', '\0', '&|!:*<->', "'"]) {
      assert.deepEqual(terms(text), [], text)
    }
  })

  it('is one form of an English word for all', () => {
    assert.deepEqual(termsIn('running', { locales: ['en-GB'] })[0]?.stems, ['run'])
    assert.deepEqual(termsIn('running', { locales: ['xx'] })[0]?.stems, [])
  })
})

describe('texts', () => {
  it('are read without their markup', () => {
    assert.equal(plainText('<p>one<br>t<b>w</b>o</p>').replace(/\s+/g, ' ').trim(), 'one two')
    assert.equal(plainText('a &lt; b &amp;&#38; &#x41;&nope; 1 < 2 > 0'), 'a < b && A&nope; 1 < 2 > 0')
  })
})

describe('highlights', () => {
  const marked = (text: string, query: string) =>
    highlight(text, termsIn(query, { locales: ['en'] }), { locale: 'en' })

  it('mark words, forms, beginnings and phrases', () => {
    assert.equal(marked('He runs, running', 'run '), 'He <mark>runs</mark>, <mark>running</mark>')
    assert.equal(marked('Crème brûlée', 'brul'), 'Crème <mark>brûlée</mark>')
    assert.equal(marked('b a b c a', '"a b"'), 'b <mark>a b</mark> c a')
    assert.equal(marked('a b', 'c -a'), undefined)
  })

  it('escape everything else', () => {
    assert.equal(
      marked(`<script>alert("x")</script> & 'y'`, 'alert'),
      '&lt;script&gt;<mark>alert</mark>(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;',
    )
  })

  it('show a part of long texts', () => {
    const text = `${'lorem ipsum '.repeat(100)}needle ${'dolor sit '.repeat(100)}`
    const html = marked(text, 'needle') ?? ''
    assert.match(html, /^… .*<mark>needle<\/mark>.* …$/)
    assert.ok(html.length < 300, String(html.length))
  })

  it('never break characters or the markup', () => {
    const check = (text: string, query: string) => {
      const html = highlight(text, termsIn(query, { locales: ['en'] }), { locale: 'en' }) ?? ''
      assert.equal(Buffer.from(html).toString(), html)
      assert.doesNotMatch(html.replace(/<\/?mark>/g, ''), /[<>"']/)
      assert.equal(html.split('<mark>').length, html.split('</mark>').length)
    }
    const texts = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '<', '"', '🎈', '日', 'é'),
      maxLength: 500,
    })
    fc.assert(fc.property(texts, fc.constantFrom('a', 'b a', '"a b"', '日', 'e a b'), check))
  })
})
