// The screens of a site that most visits do not open: they are loaded when a person first opens one of them.

export { CollectionsScreen } from './collections/collections.js'
export { RecordsScreen } from './collections/records.js'
export { FilesScreen } from './files/files.js'
export { SiteHistoryScreen } from './history/site-history.js'
export { PastScreen } from './past/past.js'
export { PageHistoryScreen } from './page-history/page-history.js'
export { AllReviewsScreen } from './reviews/list/all-reviews.js'
export { ReviewScreen } from './reviews/review.js'
export { ReviewsScreen } from './reviews/list/reviews.js'
export { RulesScreen } from './rules/rules.js'
export { ChecksScreen } from './site/checks.js'
export { SettingsScreen } from './settings/settings.js'
