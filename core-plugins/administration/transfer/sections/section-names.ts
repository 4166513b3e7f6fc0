/** The name of the section for entries of a type: `content:article`, but `users` for system types. */
export function sectionOfType(type: string): string {
  return systemSections[type] ?? `${contentPrefix}${type}`
}

/** The content type whose entries a section holds; undefined for another section. */
export function typeOfSection(section: string): string | undefined {
  return section.startsWith(contentPrefix) ? section.slice(contentPrefix.length) : undefined
}

const contentPrefix = 'content:'

const systemSections: Readonly<Record<string, string>> = {
  media: 'media',
  'media-folder': 'media-folders',
  role: 'roles',
  user: 'users',
}
