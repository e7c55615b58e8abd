//! The part of libclang's C interface that is used here. Its numbers and layouts have been stable
//! since libclang 3.5; functions that came later are optional.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_longlong, c_uint, c_ulong, c_void};
use std::path::Path;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawString {
    data: *const c_void,
    flags: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    pub kind: c_int,
    xdata: c_int,
    data: [*const c_void; 3],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawType {
    pub kind: c_int,
    data: [*mut c_void; 2],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Location {
    data: [*const c_void; 2],
    int_data: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    data: [*const c_void; 2],
    begin: c_uint,
    end: c_uint,
}

#[repr(C)]
pub(crate) struct UnsavedFile {
    pub name: *const c_char,
    pub contents: *const c_char,
    pub length: c_ulong,
}

/// Since libclang 17. The bit-fields of the original are one word here.
#[repr(C)]
pub(crate) struct IndexOptions {
    size: c_uint,
    background_priorities: [u8; 2],
    flags: u16,
    preamble_storage: *const c_char,
    invocation_path: *const c_char,
}

impl IndexOptions {
    /// Headers that were read are kept in memory, not in files that a kill would leave behind.
    pub(crate) fn new() -> IndexOptions {
        IndexOptions {
            size: std::mem::size_of::<IndexOptions>() as c_uint,
            background_priorities: [0, 0],
            // ExcludeDeclarationsFromPCH, DisplayDiagnostics, StorePreamblesInMemory.
            flags: 1 << 2,
            preamble_storage: std::ptr::null(),
            invocation_path: std::ptr::null(),
        }
    }
}

pub(crate) type Visitor = extern "C" fn(Cursor, Cursor, *mut c_void) -> c_int;
/// What a visitor answers: stop.
pub(crate) const BREAK: c_int = 0;
/// What a visitor answers: go on with the next sibling.
pub(crate) const CONTINUE: c_int = 1;

macro_rules! api {
    ($($name:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)*) => {
        /// The functions, from one library.
        pub(crate) struct Api {
            $(pub $name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
            /// Since libclang 17.
            pub binary_operator: Option<unsafe extern "C" fn(Cursor) -> c_int>,
            /// Since libclang 17.
            pub unary_operator: Option<unsafe extern "C" fn(Cursor) -> c_int>,
            // Last, so that the functions go first.
            _library: libloading::Library,
        }

        impl Api {
            /// Opens the library; the error says what is wrong with it.
            pub(crate) fn open(path: &Path) -> Result<Api, String> {
                // SAFETY: libclang's initialisers only register its own targets and options.
                let library = unsafe { libloading::Library::new(path) }.map_err(|e| e.to_string())?;
                // SAFETY: the signatures are those of clang-c/Index.h.
                unsafe {
                    Ok(Api {
                        $($name: *library
                            .get(concat!("clang_", stringify!($name), "\0").as_bytes())
                            .map_err(|e| e.to_string())?,)*
                        binary_operator: library
                            .get(b"clang_getCursorBinaryOperatorKind\0").ok().map(|f| *f),
                        unary_operator: library
                            .get(b"clang_getCursorUnaryOperatorKind\0").ok().map(|f| *f),
                        _library: library,
                    })
                }
            }
        }
    };
}

#[allow(non_snake_case)]
mod functions {
    use super::*;
    api! {
        createIndexWithOptions: fn(*const IndexOptions) -> *mut c_void;
        disposeIndex: fn(*mut c_void);
        getClangVersion: fn() -> RawString;
        getCString: fn(RawString) -> *const c_char;
        disposeString: fn(RawString);
        parseTranslationUnit2: fn(*mut c_void, *const c_char, *const *const c_char, c_int, *mut UnsavedFile, c_uint, c_uint, *mut *mut c_void) -> c_int;
        reparseTranslationUnit: fn(*mut c_void, c_uint, *mut UnsavedFile, c_uint) -> c_int;
        disposeTranslationUnit: fn(*mut c_void);
        getNumDiagnostics: fn(*mut c_void) -> c_uint;
        getDiagnostic: fn(*mut c_void, c_uint) -> *mut c_void;
        disposeDiagnostic: fn(*mut c_void);
        getDiagnosticSeverity: fn(*mut c_void) -> c_int;
        getDiagnosticSpelling: fn(*mut c_void) -> RawString;
        getDiagnosticOption: fn(*mut c_void, *mut RawString) -> RawString;
        getDiagnosticLocation: fn(*mut c_void) -> Location;
        getTranslationUnitCursor: fn(*mut c_void) -> Cursor;
        visitChildren: fn(Cursor, Visitor, *mut c_void) -> c_uint;
        getCursorExtent: fn(Cursor) -> Extent;
        getCursorLocation: fn(Cursor) -> Location;
        getRangeStart: fn(Extent) -> Location;
        getRangeEnd: fn(Extent) -> Location;
        getFileLocation: fn(Location, *mut *mut c_void, *mut c_uint, *mut c_uint, *mut c_uint);
        getSpellingLocation: fn(Location, *mut *mut c_void, *mut c_uint, *mut c_uint, *mut c_uint);
        Location_isFromMainFile: fn(Location) -> c_int;
        getCursorSpelling: fn(Cursor) -> RawString;
        getCursorReferenced: fn(Cursor) -> Cursor;
        getCanonicalCursor: fn(Cursor) -> Cursor;
        Cursor_isNull: fn(Cursor) -> c_int;
        isCursorDefinition: fn(Cursor) -> c_uint;
        getCursorType: fn(Cursor) -> RawType;
        getCanonicalType: fn(RawType) -> RawType;
        getTypeSpelling: fn(RawType) -> RawString;
        getPointeeType: fn(RawType) -> RawType;
        getArrayElementType: fn(RawType) -> RawType;
        getArraySize: fn(RawType) -> c_longlong;
        getResultType: fn(RawType) -> RawType;
        Type_getSizeOf: fn(RawType) -> c_longlong;
        isConstQualifiedType: fn(RawType) -> c_uint;
        isVolatileQualifiedType: fn(RawType) -> c_uint;
    }
}
pub(crate) use functions::Api;

impl Api {
    /// The text of a string, which is given back to libclang.
    pub(crate) fn text(&self, string: RawString) -> String {
        // SAFETY: `string` came from libclang and is disposed of once, here.
        unsafe {
            let bytes = (self.getCString)(string);
            let text = if bytes.is_null() {
                String::new()
            } else {
                CStr::from_ptr(bytes).to_string_lossy().into_owned()
            };
            (self.disposeString)(string);
            text
        }
    }

    /// The byte in the file where a location is, seen from outside of macros; and whether it is
    /// inside of one.
    pub(crate) fn offset(&self, location: Location) -> (usize, bool) {
        let (mut file, mut line, mut column) = (std::ptr::null_mut(), 0, 0);
        let (mut at, mut spelled) = (0, 0);
        // SAFETY: all pointers are valid for the calls.
        unsafe {
            (self.getFileLocation)(location, &mut file, &mut line, &mut column, &mut at);
            (self.getSpellingLocation)(location, &mut file, &mut line, &mut column, &mut spelled);
        }
        (at as usize, at != spelled)
    }
}
