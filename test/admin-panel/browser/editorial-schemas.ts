const type = (name: string, options: object, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name[0]?.toUpperCase() + name.slice(1) },
  options,
  attributes,
})

const title = { type: 'string', required: true }

/** Types with all that editors do besides writing: publish, compare, delete, approve. */
export const editorialSchemas = {
  'author.json': type('author', { draftAndPublish: true, softDelete: true }, { name: title }),
  'page.json': type(
    'page',
    { draftAndPublish: true, draftOverlay: true },
    {
      title,
      body: { type: 'richtext' },
      author: { type: 'relation', relation: 'manyToOne', target: 'author' },
      blocks: { type: 'dynamicZone', components: ['shared.quote'] },
    },
  ),
  'policy.json': type(
    'policy',
    {
      draftAndPublish: true,
      workflow: {
        enabled: true,
        initialState: 'draft',
        states: [
          { name: 'draft', label: 'In progress', color: '#888888' },
          { name: 'approved', label: 'Approved', color: '#2e7d32', publishable: true },
        ],
        transitions: [
          { from: 'draft', to: 'approved', label: 'Approve' },
          { from: 'approved', to: 'draft', label: 'Revise' },
        ],
      },
    },
    { title },
  ),
  'components/shared.quote.json': {
    uid: 'shared.quote',
    category: 'shared',
    info: { displayName: 'Quote' },
    attributes: { text: { type: 'text' }, by: { type: 'string' } },
  },
}
