import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ask, codesIn, post } from '../graphql/graphql-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { metresBetween } from './content-oracle.ts'
import { createAll, dataOf, problemsIn } from './content-world.ts'

const schemas = {
  'shop.json': {
    kind: 'collectionType',
    info: { singularName: 'shop', pluralName: 'shops', displayName: 'Shop' },
    indexes: [{ fields: ['place'], type: 'index' }],
    attributes: {
      name: { type: 'string' },
      place: { type: 'point', default: { lat: 46.94809, lng: 7.44744 } },
      owner: { type: 'relation', relation: 'manyToOne', target: 'shop', inversedBy: 'branches' },
      branches: { type: 'relation', relation: 'oneToMany', target: 'shop', mappedBy: 'owner' },
    },
  },
}

const shops = [
  { name: 'Zürich', place: { lat: 47.3769, lng: 8.5417 } },
  { name: 'Winterthur', place: { lat: 47.5, lng: 8.75 } },
  { name: 'Suva', place: { lat: -18.1248, lng: 178.4501 } },
  { name: 'Taveuni', place: { lat: -16.8, lng: -179.97 } },
  { name: 'Nowhere', place: null },
]

const path = '/api/content/shop'

eachDatabase((database) => {
  describe('a point', () => {
    let service: TestService

    before(async () => {
      service = await startService({ database: database.name, schemas })
      await createAll(service.admin, 'shop', shops)
    })
    after(() => service?.stop())

    const names = async (query: string): Promise<string[]> => {
      const { status, body } = await service.admin.get(`${path}?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.map(({ name }: { name: string }) => name)
    }

    it('comes back as it was sent, to seven digits', async () => {
      const sent: [unknown, unknown][] = [
        [
          { lng: 8.54170004, lat: 47.37694999 },
          { lat: 47.37695, lng: 8.5417 },
        ],
        [
          { lat: -90, lng: -180 },
          { lat: -90, lng: -180 },
        ],
        [
          { lat: -0.0000000001, lng: 180 },
          { lat: 0, lng: 180 },
        ],
        [null, null],
        [undefined, { lat: 46.94809, lng: 7.44744 }],
      ]
      for (const [place, expected] of sent) {
        const [created] = await createAll(service.admin, 'shop', [{ name: 'sent', place }])
        assert.deepEqual(created?.place, expected)
        assert.deepEqual(dataOf(await service.admin.get(`${path}/${created?.id}`)).place, expected)
        await service.admin.delete(`${path}/${created?.id}`)
      }
    })

    it('is refused where it is none', async () => {
      const bad = [1, 'x', [47, 8], {}, { lat: 1 }, { lat: '1', lng: 2 }, { lat: 91, lng: 0 }].concat([
        { lat: 0, lng: 180.1 },
        { lat: 0, lng: 0, alt: 1 },
        { lat: null, lng: 0 },
      ] as never[])
      for (const place of bad) {
        assert.deepEqual(problemsIn(await service.admin.post(path, { place })), ['place format'])
      }
    })

    it('is sorted by its distance, across the antimeridian; what is nowhere comes last', async () => {
      const byDistance = (lat: number, lng: number) =>
        shops
          .filter(({ place }) => place !== null)
          .sort(
            (one, other) =>
              metresBetween(one.place as never, [lat, lng]) - metresBetween(other.place as never, [lat, lng]),
          )
          .map(({ name }) => name)
      for (const [lat, lng] of [
        [47, 8],
        [-17, 179.99],
        [-17, -179.99],
        [90, 0],
        [-90, 12],
      ] as const) {
        const near = byDistance(lat, lng)
        assert.deepEqual(await names(`sort=place:near:${lat}:${lng}`), [...near, 'Nowhere'])
        assert.deepEqual(await names(`sort=place:near:${lat}:${lng}:desc`), [...near.reverse(), 'Nowhere'])
      }
      assert.deepEqual(await names('sort=place:near:47:8&limit=1&offset=1&total=false'), ['Winterthur'])
      assert.deepEqual(await names('sort=place:near:47:8&filters[place][$near]=47,8,100000'), [
        'Zürich',
        'Winterthur',
      ])
    })

    it('takes the forms of a list, and is found through relations', async () => {
      const [first] = await createAll(service.admin, 'shop', [{ name: 'Branch', place: null, owner: 1 }])
      for (const query of [
        'filters[place][$near]=47.3769,8.5417,100',
        'filters[place][$near][]=47.3769&filters[place][$near][]=8.5417&filters[place][$near][]=100',
        'filters[place][$near][0]=47.3769&filters[place][$near][1]=8.5417&filters[place][$near][2]=100',
      ]) {
        assert.deepEqual(await names(query), ['Zürich'])
      }
      assert.deepEqual(await names('filters[owner][place][$near]=47.3769,8.5417,100'), ['Branch'])
      await service.admin.delete(`${path}/${first?.id}`)
    })

    it('sorts what is populated', async () => {
      const made = await createAll(service.admin, 'shop', [
        { name: 'East', place: { lat: 0, lng: 20 }, owner: 1 },
        { name: 'West', place: { lat: 0, lng: -20 }, owner: 1 },
      ])
      for (const [lng, nearest] of [
        [30, ['East', 'West']],
        [-30, ['West', 'East']],
      ] as const) {
        const query = `populate[branches][sort]=place:near:0:${lng}&populate[branches][filters][place][$notNull]=true`
        const { body } = await service.admin.get(`${path}/1?${query}`)
        assert.deepEqual(
          body.data.branches.map(({ name }: { name: string }) => name),
          nearest,
        )
      }
      for (const { id } of made) await service.admin.delete(`${path}/${id}`)
    })

    it('has no order of its own, and nothing is grouped by it', async () => {
      for (const query of ['groupBy=place', 'function=max&field=place']) {
        const { status } = await service.admin.get(`${path}/aggregate?${query}`)
        assert.equal(status, 400, query)
      }
    })

    it('is what GraphQL takes and answers', async () => {
      const made = await ask(
        service.admin,
        'mutation ($place: Point, $lng: Int) { a: createShop(data: { name: "A", place: $place }) { data { id place } } b: createShop(data: { name: "B", place: { lat: 1.5, lng: $lng } }) { data { id place } } }',
        { place: { lat: 1.25, lng: 2 }, lng: 3 },
      )
      assert.deepEqual(
        [made.a.data.place, made.b.data.place],
        [
          { lat: 1.25, lng: 2 },
          { lat: 1.5, lng: 3 },
        ],
      )
      const found = await ask(
        service.admin,
        'query ($near: [Float!]) { near: shops(filters: { place: { near: $near } }, sort: "place:near:1:2:desc") { data { name } } within: shops(filters: { place: { within: [1, 2, 1.3, 2.5] } }) { data { name } } }',
        { near: [1.25, 2, 200_000] },
      )
      assert.deepEqual(found, {
        near: { data: [{ name: 'B' }, { name: 'A' }] },
        within: { data: [{ name: 'A' }] },
      })
      const bad = await post(
        service.admin,
        '{ shops(filters: { place: { near: [1, 2] } }) { data { name } } }',
      )
      assert.deepEqual(codesIn(bad), ['VALIDATION_ERROR'])
      const wrong = await post(service.admin, 'mutation { createShop(data: { place: 5 }) { data { id } } }')
      assert.equal(wrong.body.data ?? null, null)
      for (const { data } of [made.a, made.b]) await service.admin.delete(`${path}/${data.id}`)
    })

    it('is kept out of a kept list when it moves away, and comes into one', async () => {
      const near = 'filters[place][$near]=47.3769,8.5417,1000&fields=name'
      const moved = await createAll(service.admin, 'shop', [{ name: 'Moving', place: { lat: 10, lng: 10 } }])
      const id = moved[0]?.id
      for (let time = 0; time < 3; time++) assert.deepEqual(await names(near), ['Zürich'])
      await service.admin.put(`${path}/${id}`, { place: { lat: 47.377, lng: 8.542 } })
      for (let time = 0; time < 3; time++) assert.deepEqual(await names(near), ['Zürich', 'Moving'])
      await service.admin.put(`${path}/${id}`, { place: null })
      assert.deepEqual(await names(near), ['Zürich'])
      await service.admin.delete(`${path}/${id}`)
    })
  })
})
