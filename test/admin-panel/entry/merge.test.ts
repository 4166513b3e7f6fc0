import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mergeBlocks } from '../../../core-plugins/panel/admin-panel/app/content/entry/merge/merge-blocks.ts'
import {
  mayKeepBoth,
  mergeEntry,
  resolve,
} from '../../../core-plugins/panel/admin-panel/app/content/entry/merge/merge-entry.ts'
import { mergeValues } from '../../../core-plugins/panel/admin-panel/app/content/entry/merge/merge-values.ts'
import type { Versions } from '../../../core-plugins/panel/admin-panel/app/content/schema/merged.ts'

const block = (id: string, text: string) => ({ id, __component: 'shared.quote', text })
const merge = (base: unknown, mine: unknown, theirs: unknown) => mergeValues({ base, mine, theirs })
const mergedValue = (base: unknown, mine: unknown, theirs: unknown) => {
  const { value, conflicts } = merge(base, mine, theirs)
  assert.deepEqual(conflicts, [])
  return value
}

describe('merging two changes of an entry', () => {
  it('takes what only one side has changed', () => {
    assert.equal(mergedValue('a', 'b', 'a'), 'b')
    assert.equal(mergedValue('a', 'a', 'b'), 'b')
    assert.equal(mergedValue('a', 'b', 'b'), 'b')
    assert.equal(mergedValue(null, null, undefined), null)
  })

  it('asks where both have changed the same', () => {
    assert.deepEqual(merge('a', 'b', 'c').conflicts, [{ path: '', base: 'a', mine: 'b', theirs: 'c' }])
    assert.equal(merge('a', 'b', 'c').value, 'b')
  })

  it('keeps blocks of both sides, wherever they were put', () => {
    const base = [block('a', 'A'), block('b', 'B')]
    const mine = [block('x', 'X'), block('b', 'B'), block('a', 'A')]
    const theirs = [block('a', 'A'), block('b', 'B changed'), block('y', 'Y')]
    assert.deepEqual(mergedValue(base, mine, theirs), [
      block('x', 'X'),
      block('b', 'B changed'),
      block('y', 'Y'),
      block('a', 'A'),
    ])
  })

  it('lets a removed block go, unless the other side has changed it', () => {
    const base = [block('a', 'A'), block('b', 'B')]
    assert.deepEqual(mergedValue(base, [block('a', 'A')], base), [block('a', 'A')])
    const { value, conflicts } = merge(base, [block('a', 'A')], [block('a', 'A'), block('b', 'changed')])
    assert.deepEqual(value, [block('a', 'A'), block('b', 'changed')])
    assert.deepEqual(
      conflicts.map(({ path, mine }) => [path, mine]),
      [['1', undefined]],
    )
  })

  it('asks where both have put blocks into another order, or none can be told by an id', () => {
    const [a, b, c] = [block('a', 'A'), block('b', 'B'), block('c', 'C')]
    assert.equal(merge([a, b, c], [b, a, c], [c, a, b]).conflicts.length, 1)
    assert.equal(merge([{ text: 'A' }], [{ text: 'B' }], [{ text: 'C' }]).conflicts.length, 1)
  })

  it('knows blocks from before there were ids by what they are, and by their place', () => {
    const old = (text: string) => ({ __component: 'shared.quote', text })
    const base = [old('A'), old('B'), old('C')]
    const mine = [block('m1', 'A'), block('new', 'X'), block('m2', 'B'), block('m3', 'C')]
    const theirs = [block('t1', 'A'), block('t2', 'B'), block('t3', 'C changed')]
    const { value, conflicts } = mergeBlocks({ base, mine, theirs })
    assert.deepEqual(conflicts, [])
    assert.deepEqual(value, [block('t1', 'A'), block('new', 'X'), block('t2', 'B'), block('t3', 'C changed')])
    const within = mergeBlocks({
      base,
      mine: [old('A1'), old('B'), old('C')],
      theirs: [old('A'), old('B'), old('C1')],
    })
    assert.deepEqual(within, { value: [old('A1'), old('B'), old('C1')], conflicts: [] })
    const both = mergeBlocks({
      base,
      mine: [old('mine'), old('B')],
      theirs: [old('theirs'), old('B'), old('C')],
    })
    assert.deepEqual(both.value, [old('mine'), old('B')])
    assert.deepEqual(
      both.conflicts.map(({ path }) => path),
      ['0.text'],
    )
  })

  it('brings changes of one long text together, by words or by blocks of HTML', () => {
    const prose = 'A sentence that is long enough to be prose, and then another one that ends with a dog.'
    const mine = prose.replace('A sentence', 'Some words')
    const theirs = prose.replace('a dog', 'two cats')
    assert.equal(mergedValue(prose, mine, theirs), mine.replace('a dog', 'two cats'))
    const html = '<p>One</p><ul><li>Two</li></ul><p>Three</p>'
    assert.equal(
      mergedValue(html, html.replace('One', '1'), html.replace('Three', '3')),
      '<p>1</p><ul><li>Two</li></ul><p>3</p>',
    )
    assert.equal(merge(html, html.replace('One', '1'), html.replace('One', 'I')).conflicts.length, 1)
    assert.equal(merge('<p>a', '<p>b', '<p>a</p><p>c').conflicts.length, 1)
  })

  it('brings changes of one paragraph of rich text together by words', () => {
    const html = '<p>One</p><p>The <strong>quick</strong> brown fox jumps over the lazy dog.</p>'
    const words = mergedValue(html, html.replace('brown', 'red'), html.replace('lazy', 'sleepy'))
    assert.equal(words, html.replace('brown', 'red').replace('lazy', 'sleepy'))
    const split = html.replace(' over', '.</p><p>Over')
    assert.equal(mergedValue(html, split, html.replace('brown', 'red')), split.replace('brown', 'red'))
    const linked = html.replace('fox jumps', '<a href="/fox">fox jumps</a>')
    assert.equal(mergedValue(html, linked, html.replace('lazy', 'sleepy')), linked.replace('lazy', 'sleepy'))

    const conflicting = [
      ['the same word', html.replace('brown', 'red'), html.replace('brown', 'grey')],
      ['links in links', linked, html.replace('brown fox', '<a href="/brown">brown fox</a>')],
      [
        'crossing',
        html.replace('fox jumps', '<em>fox jumps</em>'),
        html.replace('jumps over', '<s>jumps over</s>'),
      ],
      ['removed', '<p>One</p>', html.replace('brown', 'red')],
    ] as const
    for (const [what, mine, theirs] of conflicting) {
      assert.equal(merge(html, mine, theirs).conflicts.length, 1, what)
    }
  })

  it('decides conflicts as it is told, the last item first', () => {
    const base = { blocks: [block('a', 'A'), block('b', 'B'), block('c', 'C')], title: 'T' }
    const mine = { blocks: [block('c', 'mine')], title: 'mine' }
    const theirs = { blocks: [block('a', '1'), block('b', '2'), block('c', 'theirs')], title: 'theirs' }
    const { values, conflicts } = mergeEntry(['title', 'blocks'], { base, mine, theirs })
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['title', 'blocks.0', 'blocks.1', 'blocks.2.text'],
    )
    const decided = resolve(values, conflicts, ['theirs', 'mine', 'theirs', 'mine'])
    assert.deepEqual(decided, { title: 'theirs', blocks: [block('b', '2'), block('c', 'mine')] })
  })

  it('offers to keep both of two long texts', () => {
    const conflict = { path: 'body', base: '', mine: '<p>a</p>', theirs: '<p>b</p>' }
    assert.equal(mayKeepBoth(conflict), true)
    assert.equal(mayKeepBoth({ ...conflict, mine: 'a', theirs: 'b' }), false)
    assert.deepEqual(resolve({ body: 'x' }, [conflict], ['both']), { body: '<p>a</p><p>b</p>' })
  })
})

const key = fc.integer({ min: 0, max: 9 })
const text = fc.constantFrom('A', 'B', 'C')
const blocks = fc
  .uniqueArray(fc.tuple(key, text), { selector: ([id]) => id, maxLength: 8 })
  .map((items) => items.map(([id, words]) => block(String(id), words)))
const versions = fc.record({ base: blocks, mine: blocks, theirs: blocks })

const idsOf = (value: unknown) => (value as { id: string }[]).map(({ id }) => id)
const flipped = ({ base, mine, theirs }: Versions) => ({ base, mine: theirs, theirs: mine })

describe('merging any two changes of a list of blocks', () => {
  it('loses nothing that either side has added, and nothing that either has changed', () => {
    fc.assert(
      fc.property(versions, ({ base, mine, theirs }) => {
        const { value, conflicts } = merge(base, mine, theirs)
        if (conflicts.some(({ path }) => path === '')) return
        const inBase = new Map(base.map((each) => [each.id, each.text]))
        for (const { id, text: words } of [...mine, ...theirs]) {
          if (inBase.get(id) === words) continue
          assert.ok(idsOf(value).includes(id), `${id} is lost`)
        }
        assert.equal(new Set(idsOf(value)).size, idsOf(value).length)
      }),
    )
  })

  it('comes to the same blocks and the same questions whoever is first', () => {
    fc.assert(
      fc.property(versions, (sides) => {
        const one = merge(sides.base, sides.mine, sides.theirs)
        const other = mergeValues(flipped(sides))
        assert.equal(one.conflicts.length, other.conflicts.length)
        if (one.conflicts.some(({ path }) => path === '')) return
        assert.deepEqual(new Set(idsOf(one.value)), new Set(idsOf(other.value)))
      }),
    )
  })

  it('changes nothing where one side has done nothing', () => {
    fc.assert(
      fc.property(blocks, blocks, (base, other) => {
        assert.deepEqual(mergedValue(base, other, base), other)
        assert.deepEqual(mergedValue(base, base, other), other)
      }),
    )
  })
})

const words = fc.array(fc.constantFrom('lorem', 'ipsum', 'dolor', 'sit'), { minLength: 30, maxLength: 40 })

describe('merging any two changes of a text', () => {
  it('keeps both where they are apart', () => {
    fc.assert(
      fc.property(words, (base) => {
        const mine = ['MINE', ...base.slice(1)]
        const theirs = [...base.slice(0, -1), 'THEIRS']
        const merged = mergedValue(base.join(' '), mine.join(' '), theirs.join(' '))
        assert.equal(merged, ['MINE', ...base.slice(1, -1), 'THEIRS'].join(' '))
      }),
    )
  })
})
