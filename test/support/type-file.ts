/** The schema file of a type by its name in the folder, for `Object.fromEntries`. */
export const typeFile = (name: string, attributes: object, options: object = {}) => [
  `${name}.json`,
  {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes,
  },
]
