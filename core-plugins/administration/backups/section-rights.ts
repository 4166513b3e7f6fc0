import type { Auth } from '../../accounts/auth/auth.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import { type SectionName, type Sections, sectionNames } from '../../foundation/sections/sections.ts'

/**
 * Who may do what with the sections of a backup. A scope for backups opens the catalog; reading or restoring
 * the contents of a backup requires the rights to read or change all of it individually.
 */
export interface SectionRights {
  mayRead(principal: Principal, section: SectionName): boolean
  /** @throws AppError 401, 403 naming every section whose content the principal may not read */
  assertReader(principal: Principal, sections: Sections): void
  /** @throws AppError 401, 403 naming every section that the principal may not replace */
  assertRestorer(principal: Principal, sections: Sections): void
}

/** The requirement, as text for messages and as a check. */
interface Need {
  readonly inWords: string
  isMet(principal: Principal): boolean
}

/** Stands for every content type. */
const everyType = '*'

export function createSectionRights(auth: Auth): SectionRights {
  const readers = readingNeeds(auth)
  const restorers = restoringNeeds(auth)
  return {
    mayRead: (principal, section) => readers[section].isMet(principal),
    assertReader: (principal, sections) => assertAll(auth, { principal, sections, needs: readers }),
    assertRestorer(principal, sections) {
      if (!auth.isSuperAdmin(principal)) assertAll(auth, { principal, sections, needs: restorers })
    },
  }
}

function readingNeeds(auth: Auth): Record<SectionName, Need> {
  const schemas: Need = {
    inWords: 'the right to read all content types',
    isMet: (principal) => auth.mayContent(principal, everyType, 'read'),
  }
  return {
    schemas,
    components: schemas,
    config: areaNeed(auth, 'admin:config:read'),
    content: {
      inWords: 'the right to read all content types with their drafts, and users (admin:users:read)',
      isMet: (principal) =>
        auth.mayContent(principal, everyType, 'read') &&
        auth.seesDrafts(principal, everyType) &&
        auth.mayAdminister(principal, 'admin:users:read'),
    },
    media: {
      inWords: 'the right to read media',
      isMet: (principal) => auth.mayMedia(principal, 'read'),
    },
  }
}

function restoringNeeds(auth: Auth): Record<SectionName, Need> {
  const mayAllContent = (principal: Principal) =>
    (['read', 'create', 'update', 'delete', 'publish'] as const).every((action) =>
      auth.mayContent(principal, everyType, action),
    )
  const schemas: Need = {
    inWords: 'every right on all content types, and admin:database:write',
    isMet: (principal) => mayAllContent(principal) && auth.mayAdminister(principal, 'admin:database:write'),
  }
  return {
    schemas,
    components: schemas,
    config: areaNeed(auth, 'admin:config:write'),
    content: {
      inWords: 'every right on all content types, and users (admin:users:write)',
      isMet: (principal) => mayAllContent(principal) && auth.mayAdminister(principal, 'admin:users:write'),
    },
    media: {
      inWords: 'every right on media',
      isMet: (principal) =>
        (['read', 'write', 'delete'] as const).every((action) => auth.mayMedia(principal, action)),
    },
  }
}

function areaNeed(auth: Auth, scope: string): Need {
  return { inWords: scope, isMet: (principal) => auth.mayAdminister(principal, scope) }
}

interface Requirement {
  readonly principal: Principal
  readonly sections: Sections
  readonly needs: Readonly<Record<SectionName, Need>>
}

function assertAll(auth: Auth, { principal, sections, needs }: Requirement): void {
  const missing = sectionNames.filter((name) => sections[name] && !needs[name].isMet(principal))
  if (missing.length === 0) return
  if (principal.kind === 'anonymous') auth.refuse(principal)
  const details = missing.map((name) => ({
    path: `sections.${name}`,
    code: 'forbidden',
    message: `takes ${needs[name].inWords}`,
  }))
  throw AppError.forbidden(`your rights do not cover the sections ${missing.join(', ')}`, { details })
}
