import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MediaFolderNode } from '../../client/admin.ts'
import {
  areaBetween,
  focalPointOf,
  pointIn,
  readArea,
} from '../../core-plugins/panel/admin-panel/app/content/files/area.ts'
import {
  destinationsOf,
  findFolder,
  nameOfPath,
} from '../../core-plugins/panel/admin-panel/app/parts/media/folders/folder-paths.ts'
import {
  addressOf,
  initialView,
  type MediaView,
  readView,
  writeView,
} from '../../core-plugins/panel/admin-panel/app/parts/media/media-view.ts'

describe('the address of the media library', () => {
  it('says nothing of what is so anyway, and everything else', () => {
    assert.equal(addressOf(initialView), '/media')
    const view: MediaView = {
      folder: 7,
      kind: 'audio',
      tag: 'a&b',
      search: 'x=y #1',
      sort: 'size:asc',
      layout: 'list',
    }
    assert.deepEqual(readView(new URLSearchParams(writeView(view).toString())), view)
    assert.deepEqual(readView(new URLSearchParams('folder=root')), { ...initialView, folder: 'root' })
  })

  it('is as if what it does not know were not there', () => {
    const odd = 'folder=-1&type=images%27&sort=password:asc&layout=table&page=9'
    assert.deepEqual(readView(new URLSearchParams(odd)), initialView)
  })
})

describe('folders', () => {
  const node = (id: number, name: string, parent: number | null, children: MediaFolderNode[] = []) => ({
    ...{ id, name, parent, children },
  })
  const tree = [node(1, 'Photos', null, [node(2, 'Summer', 1, [node(3, 'Sea', 2)])]), node(4, 'Texts', null)]

  it('are known with those above them', () => {
    assert.equal(nameOfPath(findFolder(tree, 3)?.path ?? []), 'Photos / Summer / Sea')
    assert.equal(findFolder(tree, 9), undefined)
  })

  it('cannot be moved into themselves, nor below', () => {
    assert.deepEqual(
      destinationsOf(tree, 2).map(({ folder }) => folder.name),
      ['Photos', 'Texts'],
    )
  })
})

describe('places in an image', () => {
  const size = { width: 200, height: 100 }

  it('stay within it', () => {
    const box = { left: 10, top: 20, width: 400, height: 200 }
    assert.deepEqual(pointIn(box, { clientX: 110, clientY: 20 }), { x: 0.25, y: 0 })
    assert.deepEqual(pointIn(box, { clientX: -5, clientY: 999 }), { x: 0, y: 1 })
  })

  it('are known only as a whole', () => {
    assert.equal(focalPointOf({ focalX: null, focalY: null }), undefined)
    assert.deepEqual(focalPointOf({ focalX: 0, focalY: '0.3333333333333333333' }), { x: 0, y: 1 / 3 })
  })

  it('make areas of at least a pixel, drawn in any direction', () => {
    const drawn = { x: 50, y: 25, width: 100, height: 50 }
    assert.deepEqual(areaBetween({ x: 0.75, y: 0.75 }, { x: 0.25, y: 0.25 }, size), drawn)
    assert.deepEqual(areaBetween({ x: 1, y: 1 }, { x: 1, y: 1 }, size), {
      x: 199,
      y: 99,
      width: 1,
      height: 1,
    })
  })

  it('are typed as whole numbers within the image', () => {
    const typed = { x: '100', y: '0', width: '100', height: '100' }
    assert.deepEqual(readArea(typed, size), { x: 100, y: 0, width: 100, height: 100 })
    for (const wrong of [
      { x: '101' },
      { width: '0' },
      { y: '-1' },
      { height: '1.5' },
      { x: '' },
      { width: 'x' },
    ]) {
      assert.equal(readArea({ ...typed, ...wrong }, size), undefined, JSON.stringify(wrong))
    }
  })
})
