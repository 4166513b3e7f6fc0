import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOfHtml } from '../../../core-plugins/panel/admin-panel/app/content/entry/diff/rich-text.ts'
import { condense, diffWords } from '../../../core-plugins/panel/admin-panel/app/content/entry/diff/words.ts'

const textOf = (parts: ReturnType<typeof diffWords>, left: 'added' | 'removed') =>
  parts
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('')

describe('differences in words', () => {
  it('keep both texts whole, in any script and size', () => {
    const distinct = Array.from({ length: 60_000 }, (_, index) => index.toString(36)).join(' ')
    const pairs = [
      ['', 'new'],
      ['old', ''],
      ['Grüße 👩‍👩‍👧 aus Wien', 'Grüße 👩‍👩‍👦 nach Wien'],
      ['私は学生です', '私は先生です'],
      ['line\n\nline', 'line\n\nother line\n'],
      [distinct, `${distinct} more`],
    ] as const
    for (const [before, after] of pairs) {
      const parts = diffWords(before, after)
      assert.equal(textOf(parts, 'added'), before)
      assert.equal(textOf(parts, 'removed'), after)
    }
  })

  it('never cut a word', () => {
    const parts = diffWords('unlockable things', 'unlocking things')
    assert.deepEqual(parts, [
      { kind: 'removed', text: 'unlockable' },
      { kind: 'added', text: 'unlocking' },
      { kind: 'same', text: ' things' },
    ])
  })

  it('leave out what is far from any change', () => {
    const long = 'word '.repeat(200)
    const shown = condense(diffWords(`${long}red ${long}`, `${long}blue ${long}`), 20)
    assert.deepEqual(shown, [
      { kind: 'same', text: '… word word word ' },
      { kind: 'removed', text: 'red' },
      { kind: 'added', text: 'blue' },
      { kind: 'same', text: ' word word word …' },
    ])
  })
})

describe('the words of HTML', () => {
  it('stand a line a block, without what is not shown', () => {
    const html = `<h1>Title</h1>\n<p>One <em>two</em><br>three &lt;b&gt; &#8364;&#x20AC;</p>
      <!-- no --><script>no()</script><ul><li>a</li><li>b</li></ul><img alt="A cat" src="/cat.jpg">`
    assert.equal(wordsOfHtml(html), 'Title\nOne two\nthree <b> €€\na\nb\n[img A cat]')
  })

  it('are found in broken HTML without looking for ever', () => {
    for (const piece of ['<!--', '<a ', '<script>', '<p', '&#', '<img alt="'])
      wordsOfHtml(piece.repeat(50_000))
    assert.equal(wordsOfHtml('a < b && c > d'), 'a < b && c > d')
  })
})
