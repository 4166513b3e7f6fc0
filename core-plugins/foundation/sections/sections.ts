/*
 * The content of an environment, divided into sections, as backups and transfers carry it. Plugins declare their
 * sections here, without knowing which plugin carries them.
 */

export { canonicalText, compareKeys, differingMembers, hashOf, type Value } from './canonical.ts'
export {
  type CompanionChange,
  type CompanionWrite,
  type CompanionWriter,
  type EntryCompanion,
  entryCompanions,
} from './entry-companion.ts'
export { type ListedItem, type ListedSectionDefinition, listedSection } from './listed-section.ts'
export { oncePerTransaction } from './once-per-transaction.ts'
export {
  type RestoreStep,
  restoreSteps,
  type SectionName,
  type Sections,
  sectionNames,
} from './restore-step.ts'
export { scopedRights } from './scoped-rights.ts'
export {
  type FindOptions,
  type ItemToPut,
  type JudgedChange,
  type Section,
  type SectionWork,
  type SectionWrite,
  type SectionWriter,
  type TransferSection,
  transferSections,
} from './section.ts'
export {
  type FileOfItem,
  type ItemAuthor,
  type ItemFile,
  type ItemName,
  type ItemVersion,
  nameOf,
  type TransferItem,
} from './transfer-item.ts'
