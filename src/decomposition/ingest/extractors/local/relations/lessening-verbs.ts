import { words } from '../words.ts';

/** What has less of a thing for its effect does not bring it about. */
export const LESSENING: ReadonlySet<string> = words(`
  reduce lower prevent decrease diminish lessen curb limit dampen damp mitigate alleviate inhibit suppress slow delay weaken
  erode damage destroy impair hinder hamper impede obstruct block stop halt avert avoid counter counteract offset oppose
  restrict constrain discourage deter eliminate eradicate remove minimise minimize cut shrink undermine protect shield
  guard relieve ease cure neutralise neutralize forestall disrupt threaten harm hurt combat fight
  moderate buffer abate quell stifle thwart undercut erase kill`);
