type Class = abstract new (...values: never[]) => object

/**
 * Makes `instanceof` recognise instances of the same class from another copy of this package, which a plugin may
 * bring along. Subclasses are told apart as usual. `name` is the same in all copies.
 */
export function recogniseAcrossCopies(type: Class, name: string): void {
  const brand = Symbol.for(`mortise.${name}`)
  const isInstance = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(type.prototype, brand, { value: true })
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, candidate: unknown): boolean {
      if (this !== type) return isInstance.call(this as () => unknown, candidate)
      return typeof candidate === 'object' && candidate !== null && brand in candidate
    },
  })
}
