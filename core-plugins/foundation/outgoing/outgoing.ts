/*
 * Requests to addresses that administrators choose: for webhooks, purges, imports and mail servers. The address guard
 * keeps them from becoming a way into the service's own network.
 */

export { type AddressGuard, createAddressGuard, openGuard, RefusedAddressError } from './address-guard.ts'
export { type Attempt, createSender, type Message, type Sender, type SendOptions } from './sender.ts'
export { signatureOf } from './signature.ts'
