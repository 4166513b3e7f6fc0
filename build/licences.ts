import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

const rule = `\n${'-'.repeat(80)}\n\n`

/**
 * The licences of the packages that bundled files come from, for the package that contains them now.
 * @param others further licence files, of other contents of the package
 * @throws Error if a package has no licence
 */
export function licencesOf(root: string, files: readonly string[], others: readonly string[]): string {
  const folders = new Set(files.map((file) => packageFolderOf(resolve(root, file))))
  const texts = [...folders].sort().map(licenceOf)
  return [...texts, ...others.map((file) => readFileSync(file, 'utf8'))].join(rule)
}

/** @returns the folder of the innermost package that contains a file */
function packageFolderOf(file: string): string {
  const modules = `${sep}node_modules${sep}`
  const start = file.lastIndexOf(modules) + modules.length
  const [first = '', second = ''] = file.slice(start).split(sep)
  return file.slice(0, start) + (first.startsWith('@') ? join(first, second) : first)
}

function licenceOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license = manifest.licenses?.[0]?.type } = manifest
  if (typeof license !== 'string') throw new Error(`${name} is bundled and names no licence`)
  const files = readdirSync(folder).filter((entry) => /^licen[cs]e/i.test(entry))
  const notices = readdirSync(folder).filter((entry) => /^notice/i.test(entry))
  const texts = [...files.slice(0, 1), ...notices].map((file) =>
    readFileSync(join(folder, file), 'utf8').trim(),
  )
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}
