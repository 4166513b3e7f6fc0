import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createEntryStore,
  type Entry,
  type EntryStart,
} from '../../../core-plugins/panel/admin-panel/app/content/entry/store/entry-store.ts'

const entry: Entry = {
  id: 7,
  title: 'One',
  slug: 'one',
  blocks: [
    { id: 'a', text: 'first' },
    { id: 'b', text: 'second' },
  ],
}

function open(options: Partial<EntryStart> = {}) {
  let now = 0
  const store = createEntryStore({
    fields: ['title', 'slug', 'blocks'],
    base: entry,
    values: entry,
    saved: { entry, etag: '"1-a"' },
    now: () => now,
    ...options,
  })
  return { store, pass: (ms: number) => (now += ms) }
}

describe('the store of an entry', () => {
  it('tells those above, at and below a path of a change, and nobody else', () => {
    const { store } = open()
    const told: string[] = []
    for (const path of ['title', 'blocks', 'blocks.0', 'blocks.0.text', 'blocks.1', 'blocks.1.text']) {
      store.subscribe(path, () => told.push(path))
    }
    store.change('blocks.0.text', 'changed')
    assert.deepEqual(told.sort(), ['blocks', 'blocks.0', 'blocks.0.text'])
    told.length = 0
    store.change('blocks', [])
    assert.equal(told.length, 5)
  })

  it('tells one of a hundred fields', () => {
    const fields = Array.from({ length: 100 }, (_, index) => `field${index}`)
    const values = Object.fromEntries(fields.map((field) => [field, '']))
    const { store } = open({ fields, base: values, values })
    let told = 0
    for (const field of fields) store.subscribe(field, () => told++)
    store.change('field42', 'x')
    assert.equal(told, 1)
  })

  it('shares what a change does not touch', () => {
    const { store } = open()
    const before = store.valueAt('blocks.1')
    store.change('blocks.0.text', 'changed')
    assert.equal(store.valueAt('blocks.1'), before)
    assert.deepEqual(entry.blocks, [
      { id: 'a', text: 'first' },
      { id: 'b', text: 'second' },
    ])
  })

  it('knows what has changed, and when it is as it was again', () => {
    const { store } = open()
    store.change('blocks.0.text', 'changed')
    assert.equal(store.state().isDirty, true)
    assert.deepEqual(Object.keys(store.changedFields()), ['blocks'])
    store.change('blocks.0.text', 'first')
    assert.equal(store.state().isDirty, false)
  })

  it('takes typing back by the pause, over all fields', () => {
    const { store, pass } = open()
    for (const text of ['One,', 'One, t', 'One, two']) store.change('title', text)
    pass(2_000)
    store.change('title', 'One, two, three')
    store.change('blocks.1.text', 'changed')
    assert.equal(store.undo(), 'blocks.1.text')
    assert.equal(store.valueAt('blocks.1.text'), 'second')
    store.undo()
    assert.equal(store.valueAt('title'), 'One, two')
    store.undo()
    assert.equal(store.valueAt('title'), 'One')
    assert.equal(store.undo(), undefined)
    store.redo()
    store.redo()
    store.redo()
    assert.equal(store.valueAt('title'), 'One, two, three')
    assert.equal(store.valueAt('blocks.1.text'), 'changed')
    assert.equal(store.state().canRedo, false)
  })

  it('takes back several values in one step', () => {
    const { store } = open()
    store.changeAll([
      { path: 'title', value: 'Two' },
      { path: 'slug', value: 'two' },
    ])
    store.undo()
    assert.deepEqual([store.valueAt('title'), store.valueAt('slug')], ['One', 'one'])
  })

  it('lets a value follow another one until somebody writes it', () => {
    const derive = (value: unknown) => String(value).toLowerCase()
    const { store } = open({ derived: [{ source: 'title', target: 'slug', derive }] })
    store.change('title', 'Two')
    assert.equal(store.valueAt('slug'), 'two')
    store.undo()
    assert.equal(store.valueAt('slug'), 'one')
    store.change('slug', 'mine')
    store.change('title', 'Three')
    assert.equal(store.valueAt('slug'), 'mine')
  })

  it('does not take back what somebody else has done', () => {
    const { store } = open()
    store.change('slug', 'mine')
    store.change('title', 'Mine')
    const theirs = { ...entry, title: 'Theirs' }
    store.rebase({
      base: theirs,
      values: { ...theirs, slug: 'mine' },
      saved: { entry: theirs, etag: '"2-a"' },
    })
    assert.equal(store.valueAt('title'), 'Theirs')
    assert.equal(store.undo(), 'slug')
    assert.equal(store.valueAt('title'), 'Theirs')
    assert.equal(store.state().canUndo, false)
  })

  it('keeps a problem until its value is changed', () => {
    const { store } = open()
    store.showProblems([
      { path: 'blocks.0.text', message: 'is too short' },
      { path: 'title', message: 'is taken' },
    ])
    assert.equal(store.problemAt('blocks.0.text'), 'is too short')
    store.change('blocks.1.text', 'x')
    assert.equal(store.state().problems.length, 2)
    store.change('blocks', [])
    assert.deepEqual(store.state().problems, [{ path: 'title', message: 'is taken' }])
  })

  it('says nothing of its state where a keystroke changes none', () => {
    const { store } = open()
    store.change('title', 'On')
    let told = 0
    store.subscribeToState(() => told++)
    store.change('title', 'O')
    assert.equal(told, 0)
  })
})
