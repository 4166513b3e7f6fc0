import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { whole } from './content-schemas.ts'
import {
  addMedia,
  allow,
  create,
  createAll,
  type Entry,
  entriesIn,
  entryIn,
  list,
  pathOf,
  problemsIn,
  read,
  signUp,
  useContent,
  withScopes,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  const sampleOf = (id: number, populate: string) => read(world.admin, 'sample', id, `?populate=${populate}`)

  /** People, each with the one before as boss: the last one's boss has a boss and so on. */
  let chain: Entry[]
  let tags: Entry[]
  let media: number[]
  let sample: Entry

  before(async () => {
    chain = []
    for (let level = 0; level < 7; level++) {
      chain.push(
        await create(world.admin, 'person', { name: `Level ${level}`, boss: chain.at(-1)?.id ?? null }),
      )
    }
    tags = await createAll(world.admin, 'tag', [{ name: 'x' }, { name: 'y' }, { name: 'z' }])
    media = await addMedia(world, ['one.png', 'two.png'])
    const [first, second] = media
    const person = chain[3]?.id
    const [x, y, z] = tags.map(({ id }) => id)
    sample = await create(world.admin, 'sample', {
      title: 'populated',
      owner: chain[6]?.id,
      tags: [z, x],
      cover: second,
      gallery: [second, first],
      seo: { title: 'seo', image: first },
      links: [{ label: 'a', person, tags: [y, z] }, { label: 'b' }],
      blocks: [
        { __component: 'test.menu', image: second, links: [{ label: 'c', person, tags: [x] }] },
        { __component: 'test.seo', title: 'seo', image: first },
        { __component: 'test.link', label: 'd', person: chain[4]?.id },
      ],
    })
  })

  describe('populate', () => {
    it('expands relations and media in the order of their ids, and nothing else', async () => {
      const { owner, tags: tagged, cover, gallery, seo } = await sampleOf(sample.id, 'owner,tags,gallery')
      assert.deepEqual(owner, chain[6])
      assert.deepEqual(
        entriesIn(tagged).map(({ name }) => name),
        ['z', 'x'],
      )
      assert.deepEqual(
        entriesIn(gallery).map(({ filename }) => filename),
        ['two.png', 'one.png'],
      )
      assert.equal(cover, media[1])
      assert.deepEqual(seo, sample.seo)
    })

    it('shows a media record as a whole', async () => {
      const { cover } = await sampleOf(sample.id, 'cover')
      const { id, filename, mimeType, size, url, alt, folder } = cover as Entry
      assert.deepEqual(
        [id, filename, mimeType, size, url, alt, folder],
        [media[1], 'two.png', 'image/png', 5, '/api/uploads/two.png', null, null],
      )
    })

    it('follows dotted paths five levels deep, and no deeper', async () => {
      const five = Array(5).fill('boss').join('.')
      let person = await read(world.admin, 'person', chain[6]?.id as number, `?populate=${five}`)
      for (const level of [5, 4, 3, 2, 1]) {
        person = entryIn(person.boss)
        assert.equal(person.name, `Level ${level}`)
      }
      assert.equal(person.boss, chain[0]?.id)
      for (const path of [`${five}.boss`, `${five}.*`]) {
        problemsIn(await world.admin.get(`${pathOf('person')}?populate=${path}`))
      }
    })

    it('expands all of a level with a star', async () => {
      const { owner, tags: tagged, cover, twinOf, seo } = await sampleOf(sample.id, '*')
      assert.equal(entryIn(owner).boss, chain[5]?.id)
      assert.equal(entriesIn(tagged).length, 2)
      assert.equal(entryIn(cover).filename, 'two.png')
      assert.equal(twinOf, null)
      assert.deepEqual(seo, sample.seo)
      const nested = await sampleOf(sample.id, 'owner.*')
      assert.equal(entryIn(entryIn(nested.owner).boss).name, 'Level 5')
      assert.deepEqual(
        entriesIn(entryIn(nested.owner).samples).map(({ id }) => id),
        [sample.id],
      )
    })

    it('expands inside components and zones', async () => {
      const { seo, links, blocks } = await sampleOf(
        sample.id,
        'seo.image,links.person.boss,links.tags,blocks.image,blocks.links.person,blocks.person',
      )
      assert.equal(entryIn(entryIn(seo).image).filename, 'one.png')
      const [a, b] = entriesIn(links)
      assert.equal(entryIn(entryIn(a?.person).boss).name, 'Level 2')
      assert.deepEqual(
        entriesIn(a?.tags).map(({ name }) => name),
        ['y', 'z'],
      )
      assert.deepEqual(b, whole.link({ label: 'b' }))
      const [menu, inner, link] = entriesIn(blocks)
      assert.equal(entryIn(menu?.image).filename, 'two.png')
      const [nested] = entriesIn(menu?.links)
      assert.equal(entryIn(nested?.person).name, 'Level 3')
      assert.deepEqual(nested?.tags, [tags[0]?.id])
      assert.equal(entryIn(inner?.image).filename, 'one.png')
      assert.equal(entryIn(link?.person).name, 'Level 4')
    })

    it('shows inverse sides by id', async () => {
      const boss = await create(world.admin, 'person', { name: 'Boss' })
      const staff = await createAll(world.admin, 'person', [
        { name: 'c', boss: boss.id },
        { name: 'a', boss: boss.id },
      ])
      const shown = await read(world.admin, 'person', boss.id, '?populate=staff,samples')
      assert.deepEqual(shown.staff, staff)
      assert.deepEqual(shown.samples, [])
      assert.equal('staff' in (await read(world.admin, 'person', boss.id)), false)
      const tag = await read(world.admin, 'tag', tags[0]?.id as number, '?populate=samples.owner')
      assert.deepEqual(
        entriesIn(tag.samples).map(({ owner }) => entryIn(owner).name),
        ['Level 6'],
      )
    })

    it('shows at most a hundred entries of an inverse side', async () => {
      const boss = await create(world.admin, 'person', { name: 'Big boss' })
      const other = await create(world.admin, 'person', { name: 'Other boss' })
      const staff: Entry[] = []
      for (let index = 0; index < 103; index++) {
        const [made] = await Promise.all([
          create(world.admin, 'person', { name: `${index}`, boss: boss.id }),
          index < 2 ? create(world.admin, 'person', { name: `${index}`, boss: other.id }) : undefined,
        ])
        staff.push(made)
      }
      const query = `?populate=staff&filters[id][$in]=${boss.id},${other.id}`
      const [first, second] = await list(world.admin, 'person', query)
      assert.deepEqual(
        entriesIn(first?.staff).map(({ id }) => id),
        staff.slice(0, 100).map(({ id }) => id),
      )
      assert.equal(entriesIn(second?.staff).length, 2)
    })

    it('works on lists', async () => {
      const { id } = await create(world.admin, 'sample', { owner: chain[6]?.id, tags: [tags[1]?.id] })
      const found = await list(
        world.admin,
        'sample',
        `?populate=owner,tags&filters[id][$in]=${sample.id},${id}`,
      )
      assert.deepEqual(
        found.map(({ owner }) => entryIn(owner).name),
        ['Level 6', 'Level 6'],
      )
      assert.deepEqual(
        found.map((entry) => entriesIn(entry.tags).map(({ name }) => name)),
        [['z', 'x'], ['y']],
      )
    })

    it('is refused where there is nothing of that name to expand', async () => {
      for (const path of [
        'nothing',
        'title',
        'owner.nothing',
        'owner.name',
        'links.label',
        'blocks.nothing',
        '__proto__',
        'constructor',
        'owner.__proto__',
        'owner..boss',
        '.owner',
        'owner.',
        'tags.name.x',
        'owner.*.nothing',
      ]) {
        problemsIn(await world.admin.get(`${pathOf('sample')}?populate=${encodeURIComponent(path)}`))
      }
    })

    it('needs the permission to read what is named, and passes over what a star would show besides', async () => {
      const user = await signUp(world, `populate-${database.name}`)
      await allow(world, 'authenticated', { sample: { read: true }, tag: { read: true } })
      problemsIn(await user.get(`${pathOf('sample', sample.id)}?populate=owner`), 403, 'FORBIDDEN')
      problemsIn(await user.get(`${pathOf('sample')}?filters[owner][name]=x`), 403, 'FORBIDDEN')
      const { tags: tagged, cover, owner } = await read(user, 'sample', sample.id, '?populate=*')
      assert.equal(entriesIn(tagged).length, 2)
      assert.equal(entryIn(cover).filename, 'two.png')
      assert.ok(typeof owner !== 'object' || owner === null)
      const reader = await withScopes(world, 'content:read')
      assert.equal((await read(reader, 'sample', sample.id, '?populate=owner')).owner, null, 'a draft')
    })
  })
})
