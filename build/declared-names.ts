import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Where a name in a file comes from: a declaration in it, or another file or package. */
export type Origin =
  | { readonly text: string }
  | { readonly from: string; readonly name: string; readonly isPackage: boolean }

/** The names of a declaration file written by the compiler. */
export interface DeclaredNames {
  /** The origin of each name in the file. */
  readonly names: ReadonlyMap<string, Origin>
  /** The file's own name for each name that it exports. */
  readonly exported: ReadonlyMap<string, string>
  /** The files that are exported as a whole with `export *`. */
  readonly exportedFiles: readonly string[]
}

const statementStart =
  /^(?=(?:export|declare|import|interface|type|class|abstract|function|const|enum|namespace)\b)/m
const declaration =
  /^(export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum|namespace) ([\w$]+)/
const list = /^(export|import) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?/
const wholeImport = /^import (?:type )?(?:\* as )?([\w$]+) from ['"]([^'"]+)['"]/
const wholeExport = /^export \* from ['"]([^'"]+)['"]/

/** Reads declarations written by the compiler: its statements begin at the start of a line. */
export function readDeclaredNames(file: string): DeclaredNames {
  const names = new Map<string, Origin>()
  const exported = new Map<string, string>()
  const exportedFiles: string[] = []
  for (const statement of statementsOf(readFileSync(file, 'utf8'))) {
    const [, isExported, name] = declaration.exec(statement) ?? []
    const [, keyword, listed = '', specifier] = list.exec(statement) ?? []
    const [, whole, wholeFrom = ''] = wholeImport.exec(statement) ?? []
    const [, everything] = wholeExport.exec(statement) ?? []
    if (keyword !== undefined) {
      for (const { theirs, ours } of membersOf(listed)) {
        // A re-export does not define the name in the file, but nothing else uses it here.
        if (specifier !== undefined) names.set(ours, originOf(file, specifier, theirs))
        if (keyword === 'export') exported.set(ours, specifier === undefined ? theirs : ours)
      }
    } else if (everything !== undefined)
      exportedFiles.push(resolve(dirname(file), declarationsOf(everything)))
    else if (whole !== undefined) names.set(whole, originOf(file, wholeFrom, '*'))
    else if (name !== undefined) {
      const known = names.get(name)
      const before = known !== undefined && 'text' in known ? `${known.text}\n` : ''
      names.set(name, { text: before + statement.trim() })
      if (isExported !== undefined) exported.set(name, name)
    }
  }
  return { names, exported, exportedFiles }
}

const statementsOf = (text: string) =>
  text
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n?/gm, '')
    .replace(/^\/\/.*$/gm, '')
    .split(statementStart)

const membersOf = (listed: string) =>
  listed
    .split(',')
    .map((member) => member.trim().replace(/^type /, ''))
    .filter((member) => member !== '')
    .map((member) => {
      const [theirs = '', ours = theirs] = member.split(' as ')
      return { theirs, ours }
    })

function originOf(file: string, specifier: string, name: string): Origin {
  if (!specifier.startsWith('.')) return { from: specifier, name, isPackage: true }
  return { from: resolve(dirname(file), declarationsOf(specifier)), name, isPackage: false }
}

const declarationsOf = (specifier: string) => specifier.replace(/\.ts$/, '.d.ts')
