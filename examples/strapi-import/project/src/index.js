module.exports = {
  /** A custom field, as plugins bring them: a text that editors enter in another way. */
  register({ strapi }) {
    strapi.customFields.register({ name: 'color', type: 'string' })
  },
}
