// @ts-check

const longest = 214
/** Names that npm does not take, or that the project could not have beside what it depends on. */
const taken = ['node_modules', 'favicon.ico', 'mortise']

/**
 * Why npm would not take a folder's name as that of a package; undefined if it would.
 * @param {string} name
 * @returns {string | undefined}
 */
export function problemWithName(name) {
  const problems = [
    ...(name === '' ? ['is empty'] : []),
    ...(name.length > longest ? [`has more than ${longest} characters`] : []),
    ...(/^[._-]/.test(name) ? ['begins with a dot, an underscore or a hyphen'] : []),
    ...(/[A-Z]/.test(name) ? ['has capital letters'] : []),
    ...(/[^a-zA-Z0-9._-]/.test(name)
      ? ['has other characters than a-z, 0-9, dots, underscores and hyphens']
      : []),
    ...(taken.includes(name) ? ['is taken'] : []),
  ]
  if (problems.length === 0) return undefined
  return `${JSON.stringify(name)} cannot be the name of a package: it ${problems.join(', ')}${suggestion(name)}`
}

/** @param {string} name */
function suggestion(name) {
  const better = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, longest)
  return better === '' || better === name || taken.includes(better) ? '' : `; call it ${better}`
}
