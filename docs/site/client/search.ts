/** The index and its search: loaded on the first search. */

import { index } from 'virtual:index';
import MiniSearch from 'minisearch';
import { type Entry, findPages, SEARCH_OPTIONS } from '../search.ts';
import type { Search } from './site.ts';

const pages = MiniSearch.loadJSON<Entry>(index, SEARCH_OPTIONS);
const search: Search = (question) => findPages(pages, question);
document.dispatchEvent(new CustomEvent('assay-search', { detail: search }));
