import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  moveField,
  putField,
  removeField,
} from '../../../core-plugins/panel/admin-panel/app/parts/schema-files/draft/edit-fields.ts'
import {
  addType,
  nameFrom,
  removeOwner,
} from '../../../core-plugins/panel/admin-panel/app/parts/schema-files/draft/edit-owners.ts'
import {
  type FileAttribute,
  type Files,
  fieldsOf,
} from '../../../core-plugins/panel/admin-panel/app/parts/schema-files/draft/file-content.ts'
import {
  renamed,
  renameObstacle,
} from '../../../core-plugins/panel/admin-panel/app/parts/schema-files/draft/rename.ts'

const article = { kind: 'type', name: 'article' } as const
const author = { kind: 'type', name: 'author' } as const
const text: FileAttribute = { type: 'string' }

const files: Files = new Map([
  [
    'article.json',
    {
      indexes: [{ fields: ['title', 'id'] }],
      attributes: {
        title: text,
        lead: { type: 'text', condition: { field: 'title', operator: 'exists', value: true } },
        author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'articles' },
        blocks: { type: 'dynamicZone', components: ['shared.quote', 'shared.image'] },
        quote: { type: 'component', component: 'shared.quote' },
      },
    },
  ],
  [
    'author.json',
    {
      attributes: {
        name: text,
        articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
      },
    },
  ],
  ['components/shared.quote.json', { attributes: { text } }],
])

const of = (changed: Files, path: string) => fieldsOf(changed.get(path))

describe('changes of the model before they are saved', () => {
  it('let everything that names a field follow its name', () => {
    const headline = putField(files, { owner: article, earlier: 'title', name: 'headline', attribute: text })
    assert.deepEqual(Object.keys(of(headline, 'article.json')).slice(0, 2), ['headline', 'lead'])
    assert.deepEqual(of(headline, 'article.json').lead?.condition, {
      field: 'headline',
      operator: 'exists',
      value: true,
    })
    assert.deepEqual(headline.get('article.json')?.indexes, [{ fields: ['headline', 'id'] }])
    const relation = of(files, 'article.json').author ?? text
    const writer = putField(files, {
      ...{ owner: article, earlier: 'author', name: 'writer', attribute: relation, otherSide: 'articles' },
    })
    assert.equal(of(writer, 'author.json').articles?.mappedBy, 'writer')
    const inverse = of(files, 'author.json').articles ?? text
    const texts = putField(files, { owner: author, earlier: 'articles', name: 'texts', attribute: inverse })
    assert.equal(of(texts, 'article.json').author?.inversedBy, 'texts')
  })

  it('make, rename and remove the other side of a relation', () => {
    const relation: FileAttribute = { type: 'relation', relation: 'manyToMany', target: 'user' }
    const made = putField(files, { owner: article, name: 'readers', attribute: relation, otherSide: 'reads' })
    assert.deepEqual(of(made, 'user.extension.json'), {
      reads: { type: 'relation', relation: 'manyToMany', target: 'article', mappedBy: 'readers' },
    })
    const attribute = of(made, 'article.json').readers ?? text
    const other = putField(made, {
      ...{ owner: article, earlier: 'readers', name: 'readers', attribute, otherSide: 'read' },
    })
    assert.deepEqual(Object.keys(of(other, 'user.extension.json')), ['read'])
    const alone = putField(made, {
      ...{ owner: article, earlier: 'readers', name: 'readers', attribute, otherSide: '' },
    })
    assert.deepEqual([of(alone, 'user.extension.json'), of(alone, 'article.json').readers], [{}, relation])
    const taken = putField(files, {
      owner: article,
      name: 'x',
      attribute: { ...relation, target: 'author' },
      otherSide: 'name',
    })
    assert.deepEqual(of(taken, 'author.json').name, text, 'what is there already is for the check to tell')
  })

  it('take along what cannot be without the rest', () => {
    const left = removeField(files, article, 'author')
    assert.deepEqual(Object.keys(of(left, 'author.json')), ['name'])
    assert.equal(of(removeField(files, author, 'articles'), 'article.json').author?.inversedBy, undefined)
    const untitled = removeField(files, article, 'title')
    assert.deepEqual(untitled.get('article.json')?.indexes, [])
    assert.equal(of(untitled, 'article.json').lead?.condition, undefined)
    const unquoted = removeOwner(files, { kind: 'component', name: 'shared.quote' })
    assert.deepEqual(of(unquoted, 'article.json').blocks?.components, ['shared.image'])
    assert.equal('quote' in of(unquoted, 'article.json'), false)
    assert.equal('author' in of(removeOwner(files, author), 'article.json'), false)
  })

  it('keep values over several renames, and forget a rename that was taken back', () => {
    const stored = { title: { type: 'string', renamedFrom: 'name' }, lead: text }
    const once = renamed(stored.title, { earlier: 'title', name: 'headline', stored })
    assert.equal(once.renamedFrom, 'title')
    const twice = renamed(once, { earlier: 'headline', name: 'heading', stored })
    assert.equal(twice.renamedFrom, 'title')
    assert.equal(renamed(twice, { earlier: 'heading', name: 'title', stored }).renamedFrom, 'name')
    assert.equal(renamed(text, { earlier: 'new', name: 'newer', stored }).renamedFrom, undefined)
    const inverse = { type: 'relation', mappedBy: 'author' }
    assert.equal(renamed(inverse, { earlier: 'lead', name: 'leads', stored }).renamedFrom, undefined)
    assert.equal(renameObstacle({ type: 'media', multiple: true }, false), 'links')
    assert.equal(renameObstacle(text, true), 'component')
    assert.equal(renameObstacle({ type: 'relation', relation: 'manyToOne' }, false), undefined)
  })

  it('move fields, and name what is new', () => {
    assert.deepEqual(Object.keys(of(moveField(files, article, 0, 3), 'article.json')).slice(0, 3), [
      'lead',
      'author',
      'title',
    ])
    assert.equal(nameFrom('Über uns: 2. Blog Post!'), 'uber-uns-2-blog-post')
    const names = { kind: 'singleType', displayName: 'A', singularName: 'a', pluralName: 'as' } as const
    assert.equal(addType(files, names).get('a.json')?.$schema, './.schema/content-type.json')
  })
})
