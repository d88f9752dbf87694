//! Is a file on a local file system or on a network file system?
//!
//! The log beside a file needs memory that all processes share, so it is only right if they run on
//! one machine [SQLite, "Write-Ahead Logging", §1]. On a network file system a rollback journal is
//! used instead: readers and writers then wait for each other, and everything rests on the locks of
//! that file system. What is not recognised counts as local.
#![allow(clippy::disallowed_methods, reason = "the list of mounted file systems is read here")]
use std::path::Path;

/// How a transaction is kept until it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JournalMode {
    /// A log of new pages beside the file.
    Ahead,
    /// A copy of the old pages, to go back to.
    Rollback,
}

impl JournalMode {
    /// The right one for a file.
    pub(super) fn for_path(path: &Path) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        let mounts = std::fs::read_to_string("/proc/self/mountinfo");
        match (folder, mounts) {
            (Ok(folder), Ok(mounts)) if is_network(kind_of(&mounts, &folder)) => JournalMode::Rollback,
            _ => JournalMode::Ahead,
        }
    }

    /// As SQLite calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            JournalMode::Ahead => "wal",
            JournalMode::Rollback => "delete",
        }
    }
}

/// The kind of the file system that a folder lies on: that of the longest mount point above it, the
/// last one mounted if there are several. Lines are those of `/proc/self/mountinfo` [proc(5)]: the
/// mount point is the fifth word, the kind follows a word that is a dash.
fn kind_of<'a>(mounts: &'a str, folder: &Path) -> &'a str {
    let mounted = mounts.lines().filter_map(|line| {
        let (place, source) = line.split_once(" - ")?;
        let point = place.split(' ').nth(4)?.replace("\\040", " ");
        let depth = folder.starts_with(&point).then(|| Path::new(&point).components().count())?;
        Some((depth, source.split(' ').next()?))
    });
    mounted.max_by_key(|(depth, _)| *depth).map_or("", |(_, kind)| kind)
}

fn is_network(kind: &str) -> bool {
    const KINDS: [&str; 19] = [
        "9p",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "cvmfs",
        "fuse.beegfs",
        "fuse.ceph",
        "fuse.glusterfs",
        "fuse.juicefs",
        "fuse.s3fs",
        "fuse.sshfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "smbfs",
    ];
    KINDS.contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
40 22 0:35 / /data rw,relatime shared:9 - nfs4 server:/export rw,vers=4.2
41 40 8:1 / /data/scratch\\040disk rw - xfs /dev/sda1 rw
42 22 0:36 / /cluster rw master:1 - lustre mds@tcp:/fs rw";

    #[test]
    fn the_nearest_mount_decides() {
        let kind = |folder: &str| kind_of(MOUNTS, Path::new(folder));
        assert_eq!(kind("/var/lib"), "ext4");
        assert_eq!(kind("/data/team"), "nfs4");
        assert_eq!(kind("/data/scratch disk/a"), "xfs");
        assert_eq!(kind("/database"), "ext4", "a name that only begins alike");
        assert!(is_network(kind("/data")) && !is_network(kind("/")));
        assert_eq!(kind_of("", Path::new("/")), "");
    }

    #[test]
    fn temporary_files_lie_on_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(JournalMode::for_path(&folder.path().join("s.db")), JournalMode::Ahead);
        assert_eq!(JournalMode::for_path(Path::new("no/such/folder/s.db")), JournalMode::Ahead);
    }
}
