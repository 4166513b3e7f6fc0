/** What Strapi's own document service says of every entry: each type, locale and status, with all that it refers to. */
async function describeAll(strapi) {
  const types = Object.values(strapi.contentTypes).filter(({ uid }) => uid.startsWith('api::'))
  const described = []
  for (const type of types) {
    for (const locale of localesOf(type)) {
      for (const status of type.options?.draftAndPublish ? ['draft', 'published'] : ['published']) {
        described.push(...(await describe(strapi, type, { locale, status })))
      }
    }
  }
  const users = await strapi.db.query('plugin::users-permissions.user').findMany({})
  const files = await strapi.db.query('plugin::upload.file').findMany({ populate: { folder: true } })
  return {
    attributes: attributesOf(strapi, types),
    entries: described,
    users: users.map(({ id, documentId, username, email, blocked }) => ({
      id,
      documentId,
      username,
      email,
      blocked,
    })),
    files: files.map(({ id, name, alternativeText, caption, folder }) => ({
      id,
      name,
      alternativeText,
      caption,
      folder: folder?.name ?? null,
    })),
  }
}

/** The attributes of all types and components, as the project declares them. */
function attributesOf(strapi, types) {
  const added = [
    'createdAt',
    'updatedAt',
    'publishedAt',
    'createdBy',
    'updatedBy',
    'locale',
    'localizations',
    'documentId',
  ]
  const all = [...types, ...Object.values(strapi.components)]
  const own = (attributes) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => !added.includes(name)))
  return Object.fromEntries(all.map(({ uid, attributes }) => [uid, own(attributes)]))
}

const localesOf = (type) => (type.pluginOptions?.i18n?.localized ? ['en', 'de', 'fr'] : [undefined])

async function describe(strapi, type, { locale, status }) {
  const query = { locale, status, populate: populateOf(strapi, type.attributes), limit: 10_000 }
  const entries = await strapi.documents(type.uid).findMany(query)
  return entries.map((entry) => ({ type: type.uid, status, locale: locale ?? null, entry }))
}

function populateOf(strapi, attributes) {
  const populated = Object.entries(attributes).flatMap(([name, attribute]) => {
    if (['createdBy', 'updatedBy', 'localizations'].includes(name)) return []
    if (attribute.type === 'relation' || attribute.type === 'media') return [[name, true]]
    if (attribute.type === 'component') {
      return [[name, { populate: populateOf(strapi, strapi.components[attribute.component].attributes) }]]
    }
    if (attribute.type !== 'dynamiczone') return []
    const on = attribute.components.map((uid) => [
      uid,
      { populate: populateOf(strapi, strapi.components[uid].attributes) },
    ])
    return [[name, { on: Object.fromEntries(on) }]]
  })
  return Object.fromEntries(populated)
}

module.exports = { describeAll }
