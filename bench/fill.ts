import { call, mapConcurrently } from './client.ts'
import { articleInput, authorInputs, categoryInputs } from './data.ts'
import type { Author, Category, FloorArticle, FloorData } from './floor/store.ts'
import type { LoadTarget } from './load.ts'

const width = 16

async function create<T>(target: LoadTarget, type: string, body: unknown): Promise<T> {
  const { data } = await call<T>(target, `/api/content/${type}`, { method: 'POST', body })
  return data
}

/** One after another, so that their ids count from 1 as `data.ts` expects. */
async function createInOrder<T>(target: LoadTarget, type: string, inputs: readonly unknown[]): Promise<T[]> {
  const created: T[] = []
  for (const input of inputs) created.push(await create<T>(target, type, input))
  return created
}

/** Authors and categories, which articles point at. */
export async function fillTargets(target: LoadTarget): Promise<Pick<FloorData, 'authors' | 'categories'>> {
  const authors = await createInOrder<Author>(target, 'author', authorInputs())
  const categories = await createInOrder<Category>(target, 'category', categoryInputs())
  return { authors, categories }
}

/** Fills an empty service through its REST API, as a client would, and returns its content. */
export async function fillService(target: LoadTarget, rows: number): Promise<FloorData> {
  const targets = await fillTargets(target)
  const numbers = Array.from({ length: rows }, (_, index) => index + 1)
  const articles = await mapConcurrently(numbers, width, (number) =>
    create<FloorArticle>(target, 'article', articleInput(number)),
  )
  return { ...targets, articles }
}
