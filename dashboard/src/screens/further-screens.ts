// The screens of a site that most visits do not open: they are loaded when a person first opens one of them.

export { CollectionsScreen } from './collections/collections.js'
export { RecordsScreen } from './collections/records.js'
export { RulesScreen } from './rules/rules.js'
export { ChecksScreen } from './site/checks.js'
export { SettingsScreen } from './site/settings.js'
